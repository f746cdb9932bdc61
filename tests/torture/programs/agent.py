"""An agent-like program in a pane, whose hooks report its start, its prompts and its turns' ends.

Usage: agent.py RECORD LOG SESSION. What it is sent, it submits as tests/panes' composer does.
"""

import json
import os
import sys
import termios
import tty

from gemba_core.caller import tmux_return_address
from gemba_core.frame.line import encode, members_of, new_event_id, now
from gemba_core.log import append_hook
from gemba_core.processes import ancestry
from tests.panes.programs.composer import Composer


class Agent(Composer):
    def __init__(self, record: str, log: str, session_id: str) -> None:
        super().__init__(record, "")
        self.log = log
        self.session_id = session_id

    def start(self) -> None:
        processes = ancestry(os.getpid())
        where: dict[str, object] = {"processes": processes, "reply_to": tmux_return_address()}
        self.hook("SessionStart", {"source": "startup"}, where)

    def enter(self) -> None:
        text = self.text
        super().enter()
        self.hook("UserPromptSubmit", {"prompt": text})
        self.hook("Stop", {})

    def hook(
        self, name: str, payload: dict[str, object], where: dict[str, object] | None = None
    ) -> None:
        members = members_of({"session_id": "client", **payload})
        if where:
            members += b"," + json.dumps(where).encode()[1:-1]
        line = encode(
            name,
            members,
            session_id=self.session_id,
            agent_type="claude",
            event_id=new_event_id(),
            ts=now(),
        )
        append_hook(self.log, line)


if __name__ == "__main__":
    tty.setraw(0, termios.TCSANOW)
    agent = Agent(*sys.argv[1:])
    agent.start()
    agent.run()
