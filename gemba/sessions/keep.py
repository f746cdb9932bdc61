"""`gemba sessions keep`."""

import asyncio

import click

from gemba.completion import complete_sessions

_EPILOG = """\
Example: gemba sessions keep 5f0c2e91a7d3b846

\b
Exit codes: 0 it has ended, or somebody else keeps it; 1 it could not be ended;
4 no session of that id is kept.
"""


@click.command("keep", epilog=_EPILOG, hidden=True)
@click.argument("session", metavar="ID", shell_complete=complete_sessions)
def keep_(session: str) -> None:
    """Keep a session until it has ended; what a detached start leaves running."""
    # Imported here: the commands that only look do without it.
    from gemba_core.orchestration.native.opening import keep

    asyncio.run(keep(session))
