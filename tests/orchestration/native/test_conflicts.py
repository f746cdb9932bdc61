"""Two worktrees that change the same file."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from gemba_core.orchestration.native import conflicts, worktree, worktree_record
from tests.orchestration.native.conftest import Acquire, RunIn


@given(
    st.dictionaries(
        st.sampled_from("abcd"), st.sets(st.sampled_from(["f", "g/h", "i"])), max_size=4
    )
)
def test_overlaps_are_those_of_two_or_more(changed: dict[str, set[str]]) -> None:
    """A path is told if, and only if, at least two changed it, with all of them."""
    told = conflicts.overlaps(changed)

    for path in {path for paths in changed.values() for path in paths}:
        who = tuple(sorted(id for id, paths in changed.items() if path in paths))
        assert told.get(path) == (who if len(who) > 1 else None)


def test_every_kind_of_change_counts(acquire: Acquire, run_in: RunIn) -> None:
    """Committed, staged, unstaged and untracked files have changed; ignored ones have not."""
    script = """git config user.name n; git config user.email e
        echo c > committed; git add committed; git commit -qm c
        echo s > staged; git add staged; echo u >> f; echo n > 'ä new'
        echo ignored > .gitignore; echo i > ignored
    """
    run_in(acquire(), script)

    assert worktree.changed_paths(ready("a1")) == {
        *("committed", "staged", "f", "ä new", ".gitignore"),
    }


def test_a_conflict_is_found_before_anything_is_committed(acquire: Acquire, run_in: RunIn) -> None:
    """Of two worktrees of one repository, the file that both change is told."""
    for id in ("a1", "a2"):
        run_in(acquire(id), f"echo {id} >> f; echo {id} > {id}")

    assert conflicts.found([ready("a1"), ready("a2")]) == [("f", ("a1", "a2"))]


def test_one_worktree_alone_is_not_looked_into(acquire: Acquire) -> None:
    """Where no other of its repository is active, git is not asked."""
    acquire()
    alone = ready("a1")
    Path(alone.path).rename(f"{alone.path}.moved")

    assert conflicts.found([alone]) == []


def ready(id: str) -> worktree_record.Worktree:
    """The record of that worktree."""
    found = worktree_record.find(id)
    assert found is not None
    return found
