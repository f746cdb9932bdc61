"""Two active worktrees of one repository that change the same file."""

from collections.abc import Collection, Iterable, Mapping

from gemba_core.orchestration.native import worktree
from gemba_core.orchestration.native.worktree_record import Worktree


def overlaps(changed: Mapping[str, Collection[str]]) -> dict[str, tuple[str, ...]]:
    """Of the paths that each id has changed, those of more than one: path to ids, both sorted."""
    by_path: dict[str, list[str]] = {}
    for id, paths in sorted(changed.items()):
        for path in set(paths):
            by_path.setdefault(path, []).append(id)
    return {path: tuple(ids) for path, ids in sorted(by_path.items()) if len(ids) > 1}


def found(active: Iterable[Worktree]) -> list[tuple[str, tuple[str, ...]]]:
    """(path, assignments) of each overlap among them, by repository.

    Asks git about each worktree that has another one of its repository beside it.
    Raises AdaptorError.
    """
    by_repository: dict[str, list[Worktree]] = {}
    for one in active:
        by_repository.setdefault(one.common, []).append(one)
    conflicts: list[tuple[str, tuple[str, ...]]] = []
    for several in by_repository.values():
        if len(several) > 1:
            changed = {one.id: worktree.changed_paths(one) for one in several}
            conflicts += overlaps(changed).items()
    return conflicts
