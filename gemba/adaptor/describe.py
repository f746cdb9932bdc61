"""`gemba adaptor describe`."""

import asyncio

import click

from gemba.output import print_json
from gemba.render import console, print_facts
from gemba_core.orchestration import adaptors
from gemba_core.orchestration.decode import wire
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.manifest import OrchestrationCapabilityManifest

_EPILOG = """\
Examples:

\b
  gemba adaptor describe noop
  gemba adaptor describe my_package.my_module:open_mine --json

\b
Exit codes: 0 described; 1 the adaptor cannot be loaded or opened; 4 no such adaptor.
"""


@click.command(epilog=_EPILOG)
@click.argument("target")
@click.option("--json", "as_json", is_flag=True, help="The manifest in its wire shape.")
def describe(target: str, as_json: bool) -> None:
    """What an adaptor declares that it can do.

    TARGET is an installed adaptor, or MODULE:CALLABLE.
    """
    manifest = asyncio.run(_manifest(target))
    if as_json:
        print_json(wire(manifest))
    else:
        print_facts(console(), _facts(manifest))


async def _manifest(target: str) -> OrchestrationCapabilityManifest:
    opens = adaptors.find(target)
    try:
        async with opens() as adaptor:
            return adaptor.describe()
    except AdaptorError:
        raise
    except Exception as error:
        # Somebody else's code runs here: whatever it raises, it tells nothing of itself.
        raise AdaptorError(
            ErrorKind.PROCESS_FAILED, f"{target}: cannot be opened: {error}", cause=error
        ) from error


def _facts(manifest: OrchestrationCapabilityManifest) -> list[tuple[str, str]]:
    isolation = [
        f"{kind} ({', '.join(name for name, kept in wire(caps).items() if kept)})"
        for kind, caps in manifest.per_kind_isolation.items()
    ]
    return [
        ("adaptor", f"{manifest.adaptor_id} {manifest.adaptor_version}"),
        ("contract", manifest.orchestration_api_version),
        ("transport", manifest.transport),
        ("workspaces", ", ".join(manifest.workspace_kinds) or "none"),
        ("isolation", ", ".join(isolation)),
        ("groups", ", ".join(manifest.group_modes)),
        ("costs", ", ".join(manifest.cost_axes)),
        ("escalations", ", ".join(manifest.escalation_kinds)),
        ("peek", ", ".join(manifest.peek_modes)),
        ("assignments", ", ".join(manifest.assignment_strategies)),
        ("events", f"{manifest.event_delivery}, within {manifest.event_delivery.budget:g} s"),
        ("unavailable", str(manifest.extension.get("unavailable", ""))),
    ]
