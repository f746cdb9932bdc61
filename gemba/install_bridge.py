"""`gemba install-bridge`."""

import os
import shutil
from typing import Any, get_args

import click

from gemba.output import print_json, warn, write
from gemba_core import agents, home
from gemba_core.agents import Agent
from gemba_core.frame.vocabulary import DEFAULT_MODE
from gemba_core.install import bridge, files, profile, shell
from gemba_core.install.bridge import CLIENTS, Change
from gemba_core.install.client import Client, Scope

_EPILOG = """\
Examples:

\b
  gemba install-bridge --agent codex --dry-run
  gemba install-bridge --agent claude
  gemba install-bridge --agent codex --scope user
  gemba install-bridge --agent claude --uninstall

\b
Exit codes: 0 done, or nothing to do; 1 a file is not what it should be
(nothing was changed), or cannot be written; 2 usage.
"""


@click.command("install-bridge", epilog=_EPILOG)
@click.option("--agent", required=True, type=click.Choice([*CLIENTS, "shell"]))
@click.option(
    "--scope",
    type=click.Choice(get_args(Scope)),
    default="project",
    show_default=True,
    help="For this folder, or for everything that you do.",
)
@click.option("--dry-run", is_flag=True, help="Only show what would change, as a diff.")
@click.option("--uninstall", is_flag=True, help="Take it out again; leave all that is not ours.")
@click.option("--json", "as_json", is_flag=True, help="One object (docs/cli.md).")
def install_bridge(agent: str, scope: Scope, dry_run: bool, uninstall: bool, as_json: bool) -> None:
    """Connect an agent: hooks, instructions, sandbox.

    Its sandbox gets leave to write the log.
    """
    entry = _entry(agent)
    mode = (entry and entry.interaction_mode) or DEFAULT_MODE
    if agent == "shell":
        _for_shell(mode, as_json)
        return
    client, folder = CLIENTS[agent], os.getcwd()
    if uninstall:
        changes = bridge.uninstall(client, scope, folder, dry_run=dry_run)
        _report(client, scope, mode, changes, [], [], dry_run=dry_run, as_json=as_json)
        return
    hooks, remarks = _wants_hooks(client, scope, folder, entry)
    changes = bridge.install(client, scope, folder, body=_body(mode), hooks=hooks, dry_run=dry_run)
    remarks += _remarks(client, scope, folder, changes)
    todo = list(client.afterwards[scope]) if hooks else []
    _report(client, scope, mode, changes, remarks, todo, dry_run=dry_run, as_json=as_json)


def _entry(name: str) -> Agent | None:
    """The workspace's first agent of that kind; one that is named so goes first."""
    path = home.agents_path()
    if path is None:
        return None
    kind = agents.SHELL if name == "shell" else name
    found = [agent for agent in agents.load(path) if agent.client == kind]
    return next((agent for agent in found if agent.name == name), found[0] if found else None)


def _body(mode: str) -> str:
    """The instructions: from the workspace's own profile, if it has one."""
    declared = home.agents_path()
    folder = os.path.dirname(declared) if declared else os.path.join(os.getcwd(), ".gemba")
    path = os.path.join(folder, "interaction_profile.md")
    data = files.read(path)
    return profile.block(mode, None if data is None else files.decoded(path, data), path)


def _wants_hooks(
    client: Client, scope: Scope, folder: str, entry: Agent | None
) -> tuple[bool, list[str]]:
    """Whether to declare hooks here, and what is to be said of that."""
    if entry is not None and not entry.hooks:
        return False, [f"agent {entry.name} has hooks = false: no hooks were declared"]
    where = bridge.declared_elsewhere(client, scope, folder)
    if where is None:
        return True, []
    if bridge.is_installed(client, scope, folder):
        twice = f"the hooks are declared in {where} too, so each call is recorded twice"
        return True, [f"{twice}: take one of the two out with --uninstall"]
    why = "declared twice, each call would be recorded twice"
    return False, [f"the hooks are declared in {where} already, and stay there: {why}"]


def _remarks(client: Client, scope: Scope, folder: str, changes: list[Change]) -> list[str]:
    remarks = []
    off = bridge.switched_off(client, changes, client.settings(scope, folder))
    if off:
        remarks.append(off)
    if scope == "project":
        remarks += _beyond_the_folder(client, folder, changes)
    scripts = os.path.dirname(bridge.bridge_command())
    if shutil.which("gemba-ask") is None:
        remarks.append(f"gemba-ask is not on your PATH; the agent needs it there: add {scripts}")
    return remarks


def _beyond_the_folder(client: Client, folder: str, changes: list[Change]) -> list[str]:
    """What a person would not expect of a project's own installation."""
    remarks = [
        f"{change.path} is yours, not this folder's: {client.title} reads there alone where its "
        "sandbox may write"
        for change in changes
        if change.action != "unchanged" and not change.path.startswith(os.path.join(folder, ""))
    ]
    path = client.settings("project", folder)
    is_new = any(change.path == path and change.action != "unchanged" for change in changes)
    if client.is_shared and is_new:
        remarks.append(f"{path} names programs by this machine's paths: do not commit it")
    return remarks


def _report(
    client: Client,
    scope: Scope,
    mode: str,
    changes: list[Change],
    remarks: list[str],
    todo: list[str],
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    if as_json:
        told: dict[str, Any] = {
            "agent": client.name,
            "scope": scope,
            "mode": mode,
            "dry_run": dry_run,
            "files": [
                {"path": one.path, "action": one.action, "note": one.note} for one in changes
            ],
            "remarks": remarks,
            "next": todo,
        }
        print_json(told)
        return
    for change in changes:
        if dry_run:
            write(change.diff().encode())
        else:
            link = f" -> {change.target}" if os.path.islink(change.path) else ""
            note = f" ({change.note})" if change.note else ""
            click.echo(f"{change.action:<9}  {change.path}{link}{note}")
    if dry_run and not any(change.diff() for change in changes):
        click.echo("Nothing would change.")
    warn(remarks)
    for line in todo:
        click.echo(f"Next: {line}.")


def _for_shell(mode: str, as_json: bool) -> None:
    """Nothing to edit: what the agent's own start needs is printed."""
    scripts = os.path.dirname(bridge.bridge_command())
    lines = shell.lines_for(mode, scripts, home.variable("GEMBA_HOME"))
    body = _body(mode)
    if as_json:
        print_json({"agent": "shell", "mode": mode, "environment": lines, "instructions": body})
        return
    click.echo(
        "# A shell has no settings to edit. Start the agent with gemba run, or put these lines\n"
        "# into its own start script. Not into your own profile: whoever has a GEMBA_SESSION_ID\n"
        "# counts as an agent, and an agent may not answer.\n"
        f"{lines}\n"
        "# And this into what it reads its instructions from:\n"
        f"{body}"
    )
