"""Which processes, and which server of panes, belong to a session's home."""

import os
from pathlib import Path

import pytest

from gemba_core import home
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.scope import new_nonce
from gemba_core.panes import kept_socket
from tests.orchestration.native.scene import eventually, processes, started, states, within


def test_a_home_of_two_names_is_one(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session that was started by one of them is paused and ended by the other."""
    link = root.parent / "link"
    os.makedirs(home.home(), exist_ok=True)
    link.symlink_to(home.home())

    async def seen(adaptor: NativeAdaptor) -> None:
        monkeypatch.setenv("GEMBA_HOME", str(link))
        session = await started(adaptor)
        monkeypatch.setenv("GEMBA_HOME", os.path.realpath(link))
        assert processes(session.id)
        await adaptor.pause_session(session.id, new_nonce())
        await eventually(lambda: states(processes(session.id)) == {"T"}, what="all to stop")

    within(root, seen)


@pytest.mark.parametrize("length", [1, 100])
def test_a_home_of_two_names_has_one_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    """Also where it is too long for a socket's name."""
    place, link = tmp_path / ("a" * length), tmp_path / "link"
    place.mkdir()
    link.symlink_to(place)

    def socket(path: Path) -> str:
        monkeypatch.setenv("GEMBA_HOME", str(path))
        return kept_socket()

    assert socket(place) == socket(link)
