"""The panes of the sessions that we keep: in a tmux server of this home's own, one session each.

An agent can write what it likes into its own log; neither this socket nor the
name that its pane has there is its to choose.
"""

import hashlib
import os
from dataclasses import replace

from gemba_core import home
from gemba_core.panes.address import PaneAddress

# Bytes; the systems differ, and the name ends with a zero byte.
_MAX_SOCKET = 100


def kept_socket() -> str:
    """The socket of that server, one for each home.

    Below the home; where that is too long for a socket's name, in a folder of
    the user's own in /tmp, whatever the environment says: everybody must find it.
    """
    place = os.path.realpath(home.home())
    path = os.path.join(place, "tmux", "kept")
    if len(os.fsencode(path)) <= _MAX_SOCKET:
        return path
    name = hashlib.sha256(os.fsencode(place)).hexdigest()[:16]
    return os.path.join("/tmp", f"gemba-{os.getuid()}", name)


def name_of(session_id: str) -> str:
    """The name of that session's pane; without a `.`, which tmux has in none."""
    return home.safe_id(session_id).replace(".", "_")


def as_kept(address: PaneAddress, session_id: str) -> PaneAddress:
    """The same pane, if it is that session's own; whatever its log says, no other one is meant."""
    return replace(address, tmux_socket=kept_socket(), tmux_session=name_of(session_id))
