"""A click group whose commands are imported when they are called: start-up stays small."""

from importlib import import_module

import click


class LazyGroup(click.Group):
    """`commands` maps a command's name to `module:attribute`."""

    def __init__(self, *args: object, lazy: dict[str, str], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed through as they are
        self._lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._lazy)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            # Click looks for what was meant among the commands that are loaded: none of ours.
            raise click.exceptions.NoSuchCommand(
                error.command_name, possibilities=self._lazy, ctx=ctx
            ) from None

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        where = self._lazy.get(cmd_name)
        if where is None:
            return None
        module, _, attribute = where.partition(":")
        found = getattr(import_module(module), attribute)
        assert isinstance(found, click.Command)
        return found
