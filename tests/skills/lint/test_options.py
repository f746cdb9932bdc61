"""The linter's idea of gemba-ask is gemba-ask's own."""

import click

from gemba_ask.cli import main
from gemba_core.skills.lint.ask import CHOICES, FLAGS, VALUES

OPTIONS = [param for param in main.params if isinstance(param, click.Option)]


def test_options_with_values_are_those_of_the_command() -> None:
    """No more and no fewer, and the same choices."""
    taking = {option.opts[0]: option for option in OPTIONS if not option.is_flag}
    assert set(taking) == {*CHOICES, *VALUES}
    choices = {name: one.type for name, one in taking.items() if isinstance(one.type, click.Choice)}
    assert {name: tuple(type_.choices) for name, type_ in choices.items()} == CHOICES


def test_flags_are_those_of_the_command() -> None:
    """With click's own --help."""
    flags = {name for option in OPTIONS if option.is_flag for name in option.opts}
    assert {*flags, "--help"} == set(FLAGS)
