"""Running the agents of one step, so many at a time."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from gemba_core.workflow.action import Spawn
from gemba_core.workflow.phase import Equipment, Phase
from gemba_core.workflow.process import Running
from gemba_core.workflow.record import Started


class Phases(Protocol):
    """Carries out spawns."""

    def run(self, step: int, spawns: Mapping[int, Spawn]) -> list[str]:
        """Run these, by item; returns when all have ended, with why some of them failed.

        Each is on the record as reported then. Raises GembaError where an agent
        cannot be started at all, or a path leads out of the workspace.
        """
        ...

    def recover(self, left: Started, spawn: Spawn) -> None:
        """Settle what a runner that died has left: reported now, or to be run again."""
        ...


class AgentPhases:
    """Phases that run real agents. Whatever interrupts `run` ends all of them."""

    def __init__(self, equipment: Equipment) -> None:
        self._with = equipment

    def run(self, step: int, spawns: Mapping[int, Spawn]) -> list[str]:
        """See Phases."""
        phases = [Phase(self._with, step, item, one) for item, one in spawns.items()]
        running = Running()
        if len(phases) == 1:
            found = [phases[0].run(running)]
        else:
            found = self._side_by_side(phases, running)
        return [why for why in found if why is not None]

    def recover(self, left: Started, spawn: Spawn) -> None:
        """See Phases."""
        Phase(self._with, left.step, left.item, spawn).recover(left)

    def _side_by_side(self, phases: list[Phase], running: Running) -> list[str | None]:
        pool = ThreadPoolExecutor(max_workers=min(self._with.limits.most, len(phases)))
        try:
            return [one.result() for one in [pool.submit(phase.run, running) for phase in phases]]
        except BaseException:
            running.end_all()
            raise
        finally:
            pool.shutdown(cancel_futures=True)
