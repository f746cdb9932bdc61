"""An agent that is any program with a shell: it has no settings, so there is nothing to edit."""

import shlex


def lines_for(mode: str, scripts: str, home: str | None) -> str:
    """What its start script, or a shell of its own, needs; `scripts` is where our programs lie."""
    variables = {
        "GEMBA_SESSION_ID": '"${GEMBA_SESSION_ID:-shell-$$}"',
        "GEMBA_AGENT_TYPE": '"${GEMBA_AGENT_TYPE:-shell-only}"',
        "GEMBA_INTERACTION_MODE": f'"${{GEMBA_INTERACTION_MODE:-{mode}}}"',
        "PATH": f'{shlex.quote(scripts)}:"$PATH"',
    }
    if home is not None:
        variables["GEMBA_HOME"] = shlex.quote(home)
    return "".join(f"export {name}={value}\n" for name, value in variables.items())
