"""`--as`, shared by every command that decides something."""

import click

as_operator = click.option(
    "--as",
    "operator",
    metavar="NAME",
    help="Who acts, for the record; else your login name.",
)
