"""The interaction profile: what an agent does where it would like to ask, by mode."""

from gemba_core.errors import UsageError
from gemba_core.frame.vocabulary import KINDS, MODES, urgency
from gemba_core.install import marked

MATRIX_BEGIN = "<!-- gemba:matrix:begin -->"
MATRIX_END = "<!-- gemba:matrix:end -->"

_TITLE = """\
# Interaction profile

What an agent of this workspace does where it would like to ask a person. Each mode has its section;
`gemba install-bridge` copies the section of an agent's mode into the file that the agent reads its
instructions from. Change the sections as you like, then run it again. What becomes of an ask is
fixed by the mode:
"""

_SECTIONS = {
    "dangerous": """\
Nobody is there to answer, and nothing may wait.

- Never call `gemba-ask`: in this mode it refuses.
- Where you would ask, take the option that is easiest to undo, record the assumption (in your last
  message, and where the work itself is described: commit message, work item) and proceed.
- Stop only when there is nothing left that you can do. Then run
  `gemba-state stalled --note "WHAT IS MISSING"` and end with what was done, what was not, and every
  assumption that you made.
""",
    "balanced": """\
Go on by yourself wherever a sensible default exists; stop only where there is none.

- A decision that a person may want to take, with a default that you can defend:
  `gemba-ask --kind question --role coach --text "THE QUESTION, AND WHAT YOU DO MEANWHILE"`.
  Do not stop: keep working with your best guess, and change course when the answer comes.
- Something that you cannot get past, or must not do without leave (a missing secret, a guardrail,
  anything that cannot be undone), and only if your role is manager:
  `gemba-ask --kind blocker --role manager --text "WHAT IS NEEDED, AND WHY"`, then
  `gemba-state prompting`, then wait.
- Call `gemba-state prompting` for blockers only.
""",
    "cautious": """\
A person decides; you prepare the decision.

- Before you choose between ways that differ in their result, change what others rely on, or do what
  cannot be undone, ask:
  `gemba-ask --kind question --role coach --text "THE QUESTION, THE OPTIONS, WHICH YOU WOULD TAKE"`.
- What you cannot get past, if your role is manager:
  `gemba-ask --kind blocker --role manager --text "WHAT IS NEEDED, AND WHY"`.
- After each of them run `gemba-state prompting` and wait for the answer. Prepare meanwhile only
  what the answer cannot make wrong.
- Put things that belong together into one ask.
""",
}

_ANSWERS = """\
The answer comes as your next prompt, or on standard output if you call `gemba-ask` with `--wait`:
exit 0 is an answer, 3 denied, 4 nobody answered yet, 5 put aside, 6 canceled or expired. A silence
is never consent. Ask nowhere else, and never answer your own questions with `gemba escalations`.
"""


def matrix() -> str:
    """The table of what becomes of an ask, from the one place where it is written."""
    rows = [("mode", *KINDS), ("---", *("---" for _ in KINDS))]
    rows += [(mode, *(_urgency(mode, kind) for kind in KINDS)) for mode in MODES]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def default_profile() -> str:
    """The text of a new `.gemba/interaction_profile.md`."""
    sections = "\n".join(f"## {mode}\n\n{_SECTIONS[mode]}" for mode in MODES)
    table = marked.block(matrix(), MATRIX_BEGIN, MATRIX_END)
    return f"{_TITLE}\n{table}\n\n{sections}"


def block(mode: str, profile: str | None, where: str) -> str:
    """What goes into an agent's instruction file: its mode's section, and the matrix.

    `profile` is the workspace's own, if there is one, and `where` its path.
    Raises UsageError if it says nothing about the mode.
    """
    said = _SECTIONS[mode] if profile is None else _section(profile, mode)
    if said is None:
        raise UsageError(f"{where}: nothing under '## {mode}'; write it, or remove the file")
    return (
        f"## Asking a person (Gemba, {mode} mode)\n\n{said.strip()}\n\n{_ANSWERS}\n"
        f"If `GEMBA_INTERACTION_MODE` is set in your environment, that mode counts instead of "
        f"{mode}. What becomes of an ask, by mode:\n\n{matrix()}"
    )


def _urgency(mode: str, kind: str) -> str:
    return urgency(mode, kind) or "refused: record the assumption and proceed"


def _section(profile: str, mode: str) -> str | None:
    """What stands under that heading, up to the next one of its level or above."""
    lines: list[str] = []
    inside = in_code = False
    for line in profile.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            in_code = not in_code
        if not in_code and line.startswith(("# ", "## ")):
            inside = line.split()[1:] == [mode]
        elif inside and not line.startswith("<!-- gemba:"):
            lines.append(line)
    said = "\n".join(lines).strip()
    return said or None
