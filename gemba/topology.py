"""`gemba topology`."""

import click
import msgspec

from gemba.output import print_json
from gemba.plane import adaptor_option, on_plane
from gemba_core import caller, home
from gemba_core.agents import load
from gemba_core.launch import program_path
from gemba_core.orchestration.adaptor import OrchestrationPlaneAdaptor
from gemba_core.orchestration.decode import wire
from gemba_core.orchestration.drift import drift
from gemba_core.orchestration.topology import WorkspaceTopology

_EPILOG = """\
Example: gemba topology

Exit codes: 0 what runs is what is declared, or nothing is declared; 3 it is not, and how.
"""


@click.command(epilog=_EPILOG)
@adaptor_option
@click.option("--json", "as_json", is_flag=True, help="{declared, observed, drift}.")
def topology(adaptor: str, as_json: bool) -> None:
    """What is declared against what runs."""

    async def both(plane: OrchestrationPlaneAdaptor) -> tuple[WorkspaceTopology, WorkspaceTopology]:
        return await plane.declared_state(), await plane.observed_state()

    declared, observed = on_plane(adaptor, both)
    found = drift(declared, observed)
    if as_json:
        told = [msgspec.to_builtins(one) for one in found]
        print_json({"declared": wire(declared), "observed": wire(observed), "drift": told})
    else:
        # Imported here: a program that asks for JSON does not wait for the table's library.
        from gemba.topology_page import print_topology

        print_topology(declared, observed, found, _missing(adaptor))
    if found:
        raise SystemExit(3)


def _missing(adaptor: str) -> frozenset[str]:
    """The agents of agents.toml whose program is not there; of native alone."""
    path = home.agents_path()
    if adaptor != "native" or path is None:
        return frozenset()
    inherited = caller.environment()
    return frozenset(one.name for one in load(path) if program_path(one, inherited) is None)
