"""A prompt that mentions a skill, against a bare interpreter; the scanner against str.split."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bench.environment import Workshop
from bench.figure import Figure
from bench.paired import paired
from gemba_core.skills.mentions.scan import scan

_SKILLS = 500
_MIB = 1 << 20
_WORDS = "Please look at the failing checks, and use $skill-7 to add some coverage first.\n"
_BODY = "Look twice, ask once.\n" * 40


def measure(shop: Workshop) -> Iterator[Figure]:
    """`gemba-bridge UserPromptSubmit` with 500 skills about; then the scanner over 1 MiB."""
    with shop.home() as home:
        _write_skills(home)
        bare = partial(shop.run, home, "python", "-c", "import json, os, sys")
        for name, prompt, bound in (
            ("no $", "Please look at the checks.", 1.25),
            ("1 of 500 skills", "$skill-77 look at the checks.", 4.0),
        ):
            data = json.dumps({"session_id": "c", "cwd": str(home), "prompt": prompt}).encode()
            call = partial(shop.run, home, "gemba-bridge", "UserPromptSubmit")
            hook = partial(call, session="s", stdin=data)
            if ("Using skill: skill-77" in hook().decode()) != ("$" in prompt):
                raise AssertionError("the hook answers something else: nothing to measure")
            found = paired(hook, bare)
            yield Figure(
                name=f"prompt, {name} / python -c 'import json, os, sys'",
                value=found.ratio,
                at_most=bound,
                note=found.note,
            )
    text = (_WORDS * (_MIB // len(_WORDS) + 1))[:_MIB]
    found = paired(partial(scan, text), text.split, pairs=11)
    yield Figure(name="scan of 1 MiB / str.split", value=found.ratio, note=found.note)
    doubled = paired(partial(scan, text * 2), partial(scan, text), pairs=11)
    yield Figure(
        name="scan of 2 MiB / scan of 1 MiB", value=doubled.ratio, at_most=2.5, note=doubled.note
    )


def _write_skills(home: Path) -> None:
    folder = home / ".gemba" / "skills"
    folder.mkdir(parents=True)
    for number in range(_SKILLS):
        said = f"skill_id: skill-{number}\nvariety: coach\ndescription: The skill {number}.\n"
        (folder / f"skill-{number}.md").write_text(f"---\n{said}---\n{_BODY}")
