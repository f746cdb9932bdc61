"""/api/sessions: what each agent is doing, its log, and a look into its pane."""

from urllib.parse import quote

import pytest

from gemba_core.home import log_path
from tests.inbox.scene import ask, frames, hook
from tests.operator.desk import told
from tests.tmux_server import TmuxServer
from tests.waiting import wait_until
from tests.web.served import Served


def test_the_list_is_that_of_the_command(server: Served) -> None:
    """The same sessions with the same fields, in the same order."""
    ask()
    ask(session="s2")
    assert server.get("sessions") == told("sessions", "list")


@pytest.mark.parametrize("session", ["tmux:%3", "a/b", "é ü"])
def test_a_session_is_found_by_whatever_id_it_has(server: Served, session: str) -> None:
    """An id is opaque."""
    ask(session=session)
    path = f"sessions/{quote(session, safe='')}"
    assert server.get(path) == told("sessions", "show", session)
    assert server.get(f"{path}/log")["items"]


@pytest.mark.parametrize("more", ["", "/log", "/peek"])
def test_an_unknown_session_is_not_found(server: Served, more: str) -> None:
    """Rather than empty."""
    assert server.http.get(f"/api/sessions/nobody{more}").status_code == 404


def test_the_log_is_told_page_by_page(server: Served) -> None:
    """All frames as they stand, and from the last page on those that come later."""
    for number in range(5):
        ask(str(number))
    found, after = [], 0
    for _ in range(3):
        page = server.get("sessions/s1/log", after=after, limit=2)
        found += [line["frame"] for line in page["items"]]
        after = page["next_after"]
    assert found == frames()
    assert server.get("sessions/s1/log", after=after)["items"] == []
    ask("later")
    [line] = server.get("sessions/s1/log", after=after)["items"]
    assert line["frame"]["payload"]["text"] == "later"


def test_what_is_no_frame_is_told_as_that(server: Served) -> None:
    """With its reason, and where it begins."""
    ask()
    with open(log_path("s1"), "ab") as file:
        at = file.tell()
        file.write(b"no frame\n")
    line = server.get("sessions/s1/log")["items"][-1]
    assert (line["offset"], line["frame"]) == (at, None)
    assert line["problem"]


def test_a_shared_log_tells_the_frames_of_its_session_alone(server: Served) -> None:
    """Two ids may come to one file name."""
    ask("mine", "a:b")
    ask("theirs", "a;b")
    items = server.get("sessions/a:b/log")["items"]
    assert [line["frame"]["payload"]["text"] for line in items] == ["mine"]


def test_a_session_without_a_pane_says_so(server: Served) -> None:
    """Nothing is to be seen there."""
    ask()
    seen = server.get("sessions/s1/peek")
    assert seen["text"] is None
    assert "no pane" in seen["why"]
    assert seen["at"]


def test_a_look_shows_what_the_pane_shows(server: Served, tmux: TmuxServer) -> None:
    """The visible rows as text; and why not, once the pane is gone."""
    pane = tmux.new_pane(["cat"])
    tmux.send_keys(pane, "hello from the pane", literal=True)
    ask(
        reply_to={
            "tmux_socket": str(tmux.socket),
            "tmux_server_pid": tmux.server_pid,
            "tmux_pane": pane.pane_id,
        }
    )
    wait_until(
        lambda: server.get("sessions/s1/peek")["text"] == "hello from the pane", what="the text"
    )
    tmux.run("kill-pane", "-t", pane.pane_id)
    seen = server.get("sessions/s1/peek")
    assert seen["text"] is None
    assert "gone" in seen["why"]


def test_a_prompt_is_typed_only_where_a_pane_is_known(server: Served) -> None:
    """As the command: it says why not."""
    hook("GembaState", "s1", state="ready")
    answer = server.post("sessions/s1/send", text="Run the tests.")
    assert (answer.status_code, "no pane is known" in answer.json()["message"]) == (409, True)
    assert server.post("sessions/none/send", text="go").status_code == 404
    assert server.post("sessions/s1/send", text="").status_code == 422
