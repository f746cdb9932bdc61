"""An agent-like program for a pane: it asks by `gemba-ask`, then waits at its prompt.

Like a real client it has hooks: it reports its start, each prompt and each end of a turn.
"""

import json
import os
import shlex
import subprocess

QUESTION = "Need STRIPE_SECRET_KEY to finish the webhook path. Which key may I use?"


def main() -> None:
    """Ask, wait at the prompt, say what came; then wait for more."""
    hook("SessionStart", source="startup")
    print("I am the agent. I cannot finish this without a person.", flush=True)
    call("gemba-ask", "--kind", "blocker", "--role", "manager", "--text", QUESTION)
    call("gemba-state", "prompting")
    while True:
        hook("Stop")
        prompt = input("> ")
        hook("UserPromptSubmit", prompt=prompt)
        print(f"I got: {prompt}", flush=True)


def call(*command: str) -> None:
    """Run it as an agent's shell tool does, its output on the screen."""
    print(f"$ {shlex.join(command)}", flush=True)
    subprocess.run(command, check=True)


def hook(event: str, **details: str) -> None:
    """Tell Gemba what happens, as real clients do by their hooks."""
    told = {"session_id": f"demo-{os.getpid()}", "hook_event_name": event, **details}
    subprocess.run(["gemba-bridge", event], input=json.dumps(told).encode(), check=True)


if __name__ == "__main__":
    main()
