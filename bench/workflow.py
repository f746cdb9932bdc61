"""A script-driven skill: agents side by side, and what the runner adds to each step."""

import json
import shutil
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from bench.environment import Workshop
from bench.figure import Figure
from bench.paired import seconds
from gemba_core.workflow.journal import read
from gemba_core.workflow.record import Issued, Reported
from gemba_core.workflow.site import journal_path

_STEPS = 20
_ROUNDS = 3
# As Gemba chooses the interpreter of a machine.
_PYTHON = shutil.which("python3") or sys.executable

_MACHINE = """\
import json, sys
from pathlib import Path
progress = Path(sys.argv[1], "progress.json")
at = json.loads(progress.read_text()) if progress.exists() else 0
progress.write_text(json.dumps(at + 1))
orders = {orders}
print(json.dumps(orders[at] if at < len(orders) else {{"type": "done"}}))
"""


def measure(shop: Workshop) -> Iterator[Figure]:
    """`gemba workflow run`, whole: its agents are shell scripts."""
    with shop.home() as home:
        many = {"type": "spawn_many", "spawns": [_spawn(number) for number in range(8)]}
        _skill(home, "many", [many], agent="sleep 1")
        whole = [_run(shop, home, "many", f"many{turn}") for turn in range(3)]
        yield Figure(
            name="spawn_many: 8 agents of 1 s each, 4 at a time",
            value=min(_side_by_side(home / f"many{turn}") for turn in range(3)),
            unit="s",
            at_most=3,
            note=f"from its order to the last report; the whole command {min(whole):.1f} s",
        )
    with shop.home() as home:
        yield _own_cost(shop, home)


def _own_cost(shop: Workshop, home: Path) -> Figure:
    """What a step takes beyond its machine and its agent, in bare starts of the interpreter."""
    _skill(home, "steps", [_spawn(number) for number in range(_STEPS)], agent=":")
    _skill(home, "none", [], agent=":")
    alone = home / "alone"
    alone.mkdir()
    machine = partial(shop.run, home, _PYTHON, "skills/steps/next-step.py", str(alone))
    agent = partial(shop.run, home, "sh", "agent.sh")
    bare = partial(shop.run, home, _PYTHON, "-c", "pass")
    rounds = [
        [
            _run(shop, home, "steps", f"steps{turn}"),
            _run(shop, home, "none", f"none{turn}"),
            *(seconds(partial(_times, _STEPS, one)) for one in (machine, agent, bare)),
        ]
        for turn in range(_ROUNDS)
    ]
    ratios = [
        (steps - none - machines - agents) / bares
        for steps, none, machines, agents, bares in rounds
    ]
    steps, none, *parts = map(statistics.median, zip(*rounds, strict=True))
    step, *parts = (1000 * whole / _STEPS for whole in (steps - none, *parts))
    return Figure(
        name="the runner's own part of a step / python3 -c pass",
        value=statistics.median(ratios),
        at_most=2,
        note="step, machine, agent, bare: "
        + ", ".join(f"{part:.1f}" for part in (step, *parts))
        + " ms",
    )


def _times(count: int, action: Callable[[], object]) -> None:
    for _ in range(count):
        action()


def _spawn(number: int) -> dict[str, str]:
    return {"type": "spawn", "prompt": "Go.", "output_file": f"{number}.md"}


def _skill(home: Path, name: str, orders: Sequence[Mapping[str, object]], *, agent: str) -> None:
    """A skill that orders these, and the agent of its phases."""
    folder = home / "skills" / name
    folder.mkdir(parents=True)
    decoded = f"json.loads({json.dumps(json.dumps(orders))})"
    (folder / "next-step.py").write_text(_MACHINE.format(orders=decoded))
    (home / "agent.sh").write_text(f"{agent}\n")
    own = home / ".gemba"
    own.mkdir(exist_ok=True)
    (own / "agents.toml").write_text('[[agent]]\nname = "sh"\ncommand = ["sh", "agent.sh"]\n')


def _side_by_side(workspace: Path) -> float:
    """Seconds from the order to the last agent's report, as the journal has them."""
    records = list(read(journal_path(str(workspace))))
    ordered = next(one.at for one in records if isinstance(one, Issued))
    reported = max(one.at for one in records if isinstance(one, Reported))
    took = datetime.fromisoformat(reported) - datetime.fromisoformat(ordered)
    return took.total_seconds()


def _run(shop: Workshop, home: Path, skill: str, workspace: str) -> float:
    """How long the whole command takes."""
    return seconds(partial(shop.run, home, "gemba", "workflow", "run", skill, workspace))
