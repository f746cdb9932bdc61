"""`gemba skills expand`."""

import os
import sys

import click

from gemba.output import print_json, warn, write
from gemba_core.errors import NotFound, UsageError
from gemba_core.frame.line import MAX_INPUT
from gemba_core.skills.mentions.expand import Expansion, expand

_EPILOG = """\
Examples:

\b
  echo '$test-strategy plan the tests of the importer' | gemba skills expand
  gemba skills expand --json < plan.md

\b
Exit codes: 0 a skill leads, or none is mentioned (then nothing is printed);
1 failed; 2 usage; 4 the mentions lead to no skill, and standard error says why.
"""


@click.command("expand", epilog=_EPILOG)
@click.option("--json", "as_json", is_flag=True, help="What was found, as one object.")
def expand_(as_json: bool) -> None:
    """Print the skill that standard input mentions as $name."""
    data = sys.stdin.buffer.read(MAX_INPUT + 1)
    if len(data) > MAX_INPUT:
        raise UsageError("standard input: longer than 1 MiB; give the part with the mention")
    text = data.decode("utf-8", "replace")
    found = expand(text, os.getcwd())
    if as_json:
        print_json(_plain(text, found))
    elif found.skill is not None:
        warn(one.message for one in found.diagnoses)
        write(found.guidance().encode("utf-8", "replace"))
    elif found.diagnoses:
        raise NotFound("\n".join(one.message for one in found.diagnoses))


def _plain(text: str, found: Expansion) -> dict[str, object]:
    skill = found.skill
    return {
        "skill": skill.id if skill else None,
        "path": skill.path if skill else None,
        "tools": skill.tools if skill else None,
        "task": found.task,
        "body": found.body,
        "said": found.said,
        "diagnoses": [{"code": one.code, "message": one.message} for one in found.diagnoses],
        "mentions": [
            {
                "name": one.bare,
                "start": one.start,
                "end": one.end,
                "line": text.count("\n", 0, one.start) + 1,
                "column": one.start - text.rfind("\n", 0, one.start),
            }
            for one in found.mentions
        ],
    }
