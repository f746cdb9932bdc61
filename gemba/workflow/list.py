"""`gemba workflow list`."""

import os

import click

from gemba.output import print_json, write
from gemba_core.frame.text import shown_line
from gemba_core.workflow.skill import found

_EPILOG = """\
Example: gemba workflow list

\b
Exit codes: 0, also where there are none.
"""
_WIDTH = 100


@click.command("list", epilog=_EPILOG)
@click.option("--json", "as_json", is_flag=True, help="An array of name, description, path, root.")
def list_(as_json: bool) -> None:
    """The script-driven skills that can be run from here.

    Those of this project, of your home, and the bundled ones.
    """
    skills = found(os.getcwd())
    if as_json:
        told = [
            {"name": one.name, "description": said, "path": one.folder, "root": one.root}
            for one, said in skills
        ]
        print_json(told)
        return
    width = max((len(one.name) for one, _ in skills), default=0)
    lines = [
        f"{shown_line(one.name):<{width}}  {shown_line(said or one.folder, _WIDTH)}"
        for one, said in skills
    ]
    write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
