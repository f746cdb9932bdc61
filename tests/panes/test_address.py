"""Which pane is meant."""

import pytest

from gemba_core.errors import PaneError
from gemba_core.panes import PaneAddress


def test_the_key_is_a_file_name_of_its_own_for_each_pane_of_each_server() -> None:
    """Server process and pane number make the key, without special characters."""
    assert PaneAddress("/tmp/socket", 77, "%42", None).key == "tmux-77-42"


@pytest.mark.parametrize("pane", ["", "42", "%", "%1;kill-server", "#(touch x)", "%1\n", "%\u0661"])
def test_what_is_no_pane_id_is_refused(pane: str) -> None:
    """An address from a log can't smuggle anything into a tmux command."""
    with pytest.raises(PaneError, match="not a tmux pane"):
        PaneAddress("/tmp/socket", 77, pane, None)
