"""`gemba`: the operator's command."""

import sys

import click

from gemba.lazy import LazyGroup
from gemba.output import warn
from gemba_core.errors import GembaError

_EPILOG = """\
Examples:

\b
  gemba escalations list
  gemba escalations respond 3f9c "Use the test key."
  gemba escalations watch

\b
Exit codes: 0 done; 1 failed; 2 usage; 4 no such escalation, session or skill,
or an ambiguous prefix; 5 already settled (by whom, when and how is said).
"""


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["--help", "-h"]},
    epilog=_EPILOG,
    lazy={
        "escalations": "gemba.escalations.group:escalations",
        "sessions": "gemba.sessions.group:sessions",
        "skills": "gemba.skills.group:skills",
        "serve": "gemba.serve:serve",
        "work": "gemba.work.group:work",
        "deliver": "gemba.deliver:deliver",
        "tick": "gemba.tick:tick",
        "adaptor": "gemba.adaptor.group:adaptor",
        "notify": "gemba.notify:notify",
        "stats": "gemba.stats:stats",
        "log": "gemba.log:log",
        "index": "gemba.index:index",
        "doctor": "gemba.doctor:doctor",
        "completion": "gemba.completion:completion",
        "init": "gemba.init:init",
        "install-bridge": "gemba.install_bridge:install_bridge",
        "run": "gemba.run:run",
        "topology": "gemba.topology:topology",
        "workflow": "gemba.workflow.group:workflow",
        "handoff": "gemba.handoff.group:handoff",
    },
)
@click.version_option(package_name="gemba-toolkit")
def gemba() -> None:
    """What your coding agents ask you, in one inbox."""


def main() -> None:
    """Run the command; every failure is one line on standard error and an exit code."""
    try:
        gemba(prog_name="gemba")
    except GembaError as error:
        warn([str(error)])
        sys.exit(error.exit_code)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        warn([f"{where}{error.strerror or error}"])
        sys.exit(1)
