"""`gemba serve`."""

import click

from gemba.escalations.operator import as_operator
from gemba.output import print_json, warn
from gemba_core.errors import GembaError, Refused
from gemba_core.inbox.actor import actor
from gemba_core.inbox.opened import use_index

_EXTRA = frozenset({"fastapi", "sse_starlette", "starlette", "uvicorn"})
_EPILOG = """\
Examples:

\b
  gemba serve --open
  gemba serve --port 8123 --as anna
  gemba serve --host 0.0.0.0 --port 8123 --token-file ~/.gemba-token

It also delivers answers that were held, and applies deadlines. End it with Ctrl-C.

Exit codes: 0 ended; 1 it cannot listen, the extra is missing, or it runs inside an agent's
session; 2 usage.
"""


@click.command(epilog=_EPILOG)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="The port to listen on; without it any free one.",
)
@click.option("--open", "opens", is_flag=True, help="Open the inbox in your browser.")
@as_operator
@click.option("--token-file", metavar="PATH", help="Take the token that is in this file (0600).")
@click.option(
    "--orchestration",
    "name",
    metavar="NAME",
    default="native",
    show_default=True,
    help="The adaptor to bind (gemba adaptor list), or none.",
)
@click.option("--json", "as_json", is_flag=True, help="Say where it is as one JSON object.")
def serve(
    host: str,
    port: int,
    opens: bool,
    operator: str | None,
    token_file: str | None,
    name: str,
    as_json: bool,
) -> None:
    """The inbox as a web page, and an HTTP API, on this machine."""
    try:
        # Imported here: nothing else needs the libraries of the extra `web`.
        from gemba.web.plane import bound
        from gemba.web.server import Server
    except ModuleNotFoundError as error:
        if error.name not in _EXTRA:
            raise
        raise GembaError(
            f"{error.name} is not installed: gemba serve needs the extra `web`: "
            "pip install 'gemba-toolkit[web]'"
        ) from None
    who = use_index(lambda index: actor(index, operator))
    if who.is_agent:
        raise Refused(
            "inside an agent's session nothing is answered, so nothing is served: "
            "run gemba serve in a terminal of your own"
        )
    plane = bound(name)
    with Server(host, port, token_file=token_file, operator=who.name, plane=plane) as server:
        if as_json:
            print_json({"url": server.url, "link": server.link, "token": server.door.token})
        else:
            click.echo(f"Inbox: {server.link}")
            click.echo("Whoever has this link can answer your agents. End it with Ctrl-C.")
        warn(server.exposes)
        if opens:
            click.launch(server.link)
        server.run()
