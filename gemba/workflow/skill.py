"""Completing the name of a script-driven skill."""

import os

from gemba.completion import Offered, completing
from gemba_core.workflow.skill import found


@completing
def complete_scripted() -> Offered:
    """The names of those that can be found from here, with their descriptions."""
    return [(skill.name, description) for skill, description in found(os.getcwd())]
