"""`python -m demo`: two scenes, each step a sentence, the command and what it really printed.

Exit 0 if every step came true, 1 if one did not, 130 after Ctrl-C.
"""

import shutil
import signal
import sys
from pathlib import Path
from typing import Any

from demo.stage import NotAsExpected, Stage

AGENT = Path(__file__).with_name("agent.py")
FIRST_ANSWER = "Use the test key from the vault, never the live one."
SECOND_ANSWER = "blue"


def main() -> int:
    """Play it."""
    signal.signal(signal.SIGTERM, _leave)
    try:
        with Stage() as stage:
            if shutil.which("tmux"):
                answer_comes_to_the_prompt(stage)
            else:
                stage.say("tmux is not installed: the way into a pane is left out.")
            answer_comes_to_the_waiting_call(stage)
            stage.say("That was all. Nothing is left behind: the demo's own folder is removed.")
    except NotAsExpected as problem:
        print(f"demo: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def answer_comes_to_the_prompt(stage: Stage) -> None:
    """An agent asks and waits at its prompt; the answer is typed there."""
    stage.title("An agent asks, and waits at its prompt")
    stage.say("In a terminal pane, an agent cannot go on. It calls gemba-ask and waits:")
    stage.open_pane(sys.executable, str(AGENT), env={"GEMBA_INTERACTION_MODE": "balanced"})
    stage.until(lambda: stage.screen().endswith("\n>"), "the agent to wait at its prompt")
    stage.show(stage.screen(), margin="│ ")

    asked = _the_open_one(stage)
    stage.say("In a terminal of their own, the operator sees what is open:")
    stage.run("gemba", "escalations", "list")

    stage.say("The operator answers. The beginning of the id is enough:")
    stage.run("gemba", "escalations", "respond", asked["id"][:8], FIRST_ANSWER)

    stage.until(lambda: _is_delivered(stage, asked["id"], "acknowledged"), "the receipt")

    stage.say("The answer has come to the agent's prompt, and the agent goes on:")
    stage.until(lambda: f"I got: {FIRST_ANSWER}" in stage.screen(), "the answer in the pane")
    stage.show(stage.screen(), margin="│ ")

    stage.say("The agent's own hook has confirmed it: that is the receipt.")
    stage.run("gemba", "escalations", "show", asked["id"][:8])


def answer_comes_to_the_waiting_call(stage: Stage) -> None:
    """An agent asks by a call that returns with the answer."""
    stage.title("An agent asks, and the call itself waits")
    stage.say("With --wait, gemba-ask returns when a person has answered, in any terminal:")
    call = stage.start(
        *("gemba-ask", "--kind", "question", "--role", "coach", "--wait", "--timeout", "5m"),
        *("--text", "Which colour has the button?", "--option", "blue", "--option", "green"),
        env={"GEMBA_SESSION_ID": "painter"},
    )
    asked = stage.until(lambda: _the_open_one(stage, or_none=True), "the question in the inbox")
    stage.say("It is in the inbox, and its session shows as prompting:")
    stage.run("gemba", "escalations", "list")
    stage.until(
        lambda: _status(stage, "painter") == "prompting", "the session to show as prompting"
    )
    stage.run("gemba", "sessions", "list")

    stage.say("The operator answers:")
    stage.run("gemba", "escalations", "respond", asked["id"][:8], SECOND_ANSWER)

    stage.say("The waiting call ends with exit code 0, and the answer alone on standard output:")
    answer, remarks = call.communicate(timeout=60)
    stage.show(answer)
    stage.expect(call.returncode, 0, f"gemba-ask's exit code ({remarks.strip()})")
    stage.expect(answer, f"{SECOND_ANSWER}\n", "gemba-ask's output")

    stage.say("It recorded that it has printed the answer: that is the receipt.")
    stage.until(lambda: _is_delivered(stage, asked["id"], "collected"), "the receipt")
    stage.run("gemba", "escalations", "show", asked["id"][:8])


def _the_open_one(stage: Stage, *, or_none: bool = False) -> Any:
    """The one escalation that is open."""
    found = stage.ask_json("gemba", "escalations", "list")
    if or_none and not found:
        return None
    stage.expect(len(found), 1, "open escalations")
    return found[0]


def _status(stage: Stage, session_id: str) -> object:
    return stage.ask_json("gemba", "sessions", "show", session_id)["status"]


def _is_delivered(stage: Stage, escalation_id: str, wanted: str) -> bool:
    """Whether the delivery has that status. Raises NotAsExpected once it can't come to that."""
    delivery = stage.ask_json("gemba", "escalations", "show", escalation_id)["delivery"]
    if delivery["status"] in ("failed", "uncertain"):
        raise NotAsExpected(f"the answer is {delivery['status']}: {delivery['detail']}")
    return bool(delivery["status"] == wanted)


def _leave(number: int, _: object) -> None:
    """Leave by an exception, so that everything is cleaned up."""
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
