"""Skills in a folder of the test's own."""

from collections.abc import Sequence
from pathlib import Path

import yaml

from gemba_core.skills.registry import Registry
from gemba_core.skills.skill import Skill


def write(
    workspace: Path,
    name: str,
    *,
    body: str = "Do it well.",
    folder: str = ".gemba/skills",
    tools: Sequence[str] | None = None,
    **more: object,
) -> Path:
    """A one-file skill in the workspace; `more` are further keys of its front matter."""
    said = {"skill_id": name, "variety": "coach", "description": f"About {name}.", **more}
    if tools is not None:
        said["tools"] = list(tools)
    path = workspace / folder / f"{name.rpartition(':')[2]}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\n{yaml.safe_dump(said)}---\n{body}\n")
    return path


def skill(
    id: str,
    *,
    aliases: Sequence[str] = (),
    lifecycle: str = "active",
    replaced_by: str | None = None,
    problem: str | None = None,
    path: str = "/skills/some.md",
) -> Skill:
    """A skill that lies nowhere."""
    namespace, _, name = id.rpartition(":")
    return Skill(
        name=name,
        variety="coach",
        description="",
        lifecycle=lifecycle,
        replaced_by=replaced_by,
        aliases=tuple(aliases),
        tools=None,
        problem=problem,
        path=path,
        form="gemba",
        where="/skills",
        source="gemba",
        namespace=namespace or None,
    )


class Shelf(Registry):
    """A registry of these skills, in the order in which they were found."""

    def __init__(self, *skills: Skill, off: Sequence[str] = (), problems: Sequence[str] = ()):
        super().__init__(skills, off, problems)
