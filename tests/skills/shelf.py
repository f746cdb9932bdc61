"""Skill files as people have them."""

import json
from pathlib import Path


def put(folder: Path, name: str, *, body: str = "Do it.\n", file: str = "", **front: str) -> Path:
    """A one-file skill in that folder, with these further keys; its path."""
    path = folder / f"{file or name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"skill_id: {name}", *(f"{key}: {value}" for key, value in front.items())]
    path.write_text("\n".join(["---", *lines, "---", body]))
    return path


def put_standard(folder: Path, name: str, *, body: str = "Do it.\n") -> Path:
    """A skill that is a folder with a SKILL.md; the file's path."""
    path = folder / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nname: {name}\ndescription: What {name} does.\n---\n{body}")
    return path


def put_plugin(user: Path, plugin: str, *, enabled: bool = True) -> Path:
    """A plugin of Claude Code's below that home folder; its folder of skills."""
    claude = user / ".claude"
    skills = claude / "plugins" / "cache" / "market" / plugin / "1.0.0" / "skills"
    skills.mkdir(parents=True)
    name = f"{plugin}@market"
    listed = {name: [{"scope": "user", "installPath": str(skills.parent), "version": "1.0.0"}]}
    installed = {"version": 2, "plugins": listed}
    (claude / "plugins" / "installed_plugins.json").write_text(json.dumps(installed))
    (claude / "settings.json").write_text(json.dumps({"enabledPlugins": {name: enabled}}))
    return skills
