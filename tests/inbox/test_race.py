"""Two processes answer the same escalation: exactly one wins, the other is told."""

import multiprocessing
import subprocess
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier

from gemba_core.errors import AlreadySettled
from gemba_core.inbox.actor import Actor
from tests.commands import SCRIPTS, environment
from tests.inbox.scene import answer, ask, frames, shown

ROUNDS = 200


def race(
    name: str, ids: list[str], start: Barrier, results: "Queue[tuple[str, list[str]]]"
) -> None:
    """Answer each as soon as the other is ready to; what came of it: empty, or why not."""
    said = []
    for item in ids:
        start.wait(timeout=60)
        try:
            answer(item, value=f"{name} says so", actor=Actor(name, "cli"))
            said.append("")
        except AlreadySettled as conflict:
            said.append(str(conflict))
    results.put((name, said))


def test_of_two_processes_one_wins_each_time_and_the_other_is_told() -> None:
    """200 times: one answer on the record, and the loser knows whose it is."""
    ids = [ask(str(number)) for number in range(ROUNDS)]
    context = multiprocessing.get_context("spawn")
    start, results = context.Barrier(2), context.Queue()
    racers = [
        context.Process(target=race, args=(name, ids, start, results)) for name in ("anna", "bert")
    ]
    for racer in racers:
        racer.start()
    said = dict(results.get(timeout=100) for _ in racers)
    for racer in racers:
        racer.join(timeout=30)
        assert racer.exitcode == 0
    for number, item in enumerate(ids):
        [winner] = [name for name in said if not said[name][number]]
        [loser] = [name for name in said if said[name][number]]
        resolution = shown_by(item)
        assert resolution == (winner, f"{winner} says so")
        assert f"{item}: already answered by {winner} " in said[loser][number]
    settled = [one["payload"]["escalation_ids"] for one in frames("GembaResolve")]
    assert sorted(settled) == sorted([item] for item in ids)


def test_of_two_commands_one_wins_and_the_other_is_exit_5() -> None:
    """The same with the real command, five times."""
    for _ in range(5):
        item = ask()
        racers = [
            subprocess.Popen(
                [str(SCRIPTS / "gemba"), "escalations", "respond", item, text],
                env=environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for text in ("red", "blue")
        ]
        said = [racer.communicate(timeout=30) for racer in racers]
        codes = [racer.returncode for racer in racers]
        assert sorted(codes) == [0, 5]
        _, value = shown_by(item)
        assert value == ("red", "blue")[codes.index(0)]
        assert "already answered by" in said[codes.index(5)][1].decode()
        assert value in said[codes.index(5)][1].decode()


def shown_by(item: str) -> tuple[str, str]:
    """By whom it was answered, and what."""
    resolution = shown(item).resolution
    assert resolution is not None
    assert resolution.value is not None
    return resolution.resolved_by, resolution.value
