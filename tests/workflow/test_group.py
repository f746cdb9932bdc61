"""Groups of processes: known by their leader, and ended whole."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from gemba_core.processes import ancestry
from gemba_core.workflow.group import Group, end, end_orphan
from tests.workflow.project import has_ended


@contextmanager
def leaderless() -> Iterator[tuple[Group, int]]:
    """A group whose leader has ended, and the pid of what it has left; all gone afterwards."""
    command = ["sh", "-c", "read go; sleep 60 >/dev/null & echo $!"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True) as leader:
        group = Group(*ancestry(leader.pid)[0])
        told, _ = leader.communicate(b"go\n")
        try:
            yield group, int(told)
        finally:
            end([group])


def test_a_group_lives_on_without_its_leader() -> None:
    """Until what it has left is ended as well."""
    with leaderless() as (group, left):
        assert group.is_alive()
        assert end([group])
        assert has_ended(left)
        assert not group.is_alive()


def test_a_number_that_was_given_away_is_not_its_group() -> None:
    """Whatever has it by now was not left by a dead runner, and is left alone."""
    with leaderless() as (group, left):
        # What the leader has left may itself have begun some ticks after it.
        assert not end_orphan(Group(group.pid, group.started + 1_000_000))
        assert not has_ended(left)


def test_a_number_that_another_process_has_by_now_is_not_its_group() -> None:
    """A leader that began at another time is another process."""
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as other:
        pid, started = ancestry(other.pid)[0]
        assert not end_orphan(Group(pid, started - 1))
        assert not has_ended(pid)
        other.kill()
