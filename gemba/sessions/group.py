"""`gemba sessions`."""

import click

from gemba.lazy import LazyGroup


@click.group(
    cls=LazyGroup,
    epilog="Example: gemba sessions list",
    lazy={
        "list": "gemba.sessions.list:list_",
        "show": "gemba.sessions.show:show",
        "peek": "gemba.sessions.peek:peek_",
        "attach": "gemba.sessions.attach:attach",
        "send": "gemba.sessions.send:send_",
        "start": "gemba.sessions.start:start",
        "pause": "gemba.sessions.suspend:pause",
        "resume": "gemba.sessions.suspend:resume",
        "end": "gemba.sessions.end:end",
        "keep": "gemba.sessions.keep:keep_",
    },
)
def sessions() -> None:
    """The agents' sessions, and what each of them is doing."""
