"""The web inbox without its server: it says so, sends nothing, keeps what was typed."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.inbox.scene import ask, cancel, resolution, shown
from tests.web.browser.process import serving
from tests.web.browser.window import Window


def test_a_lost_connection_is_said_and_comes_back(
    opened: Callable[..., Window], tmp_path: Path
) -> None:
    """Nothing is sent or queued meanwhile; what happened meanwhile is there afterwards."""
    item, gone = ask("Which colour?"), ask("To be closed meanwhile")
    with serving(0, tmp_path / "token") as (process, link):
        window = opened(link)
        window.open(item)
        window.box.fill("teal")
        process.kill()
        process.wait()
        window.sees_connection("lost")
    banner = window.page.get_by_role("alert").first
    expect(banner).to_contain_text("connection to the server is lost")
    window.keep("lost")
    window.press("Control+Enter")
    expect(window.page.locator(".toast")).to_contain_text("Not sent")
    expect(window.box).to_have_value("teal")
    new = ask("Asked meanwhile")
    cancel(gone)
    # The index knows it before the server does: no event will tell.
    assert shown(new).state == "open"
    with serving(urlsplit(link).port or 0, tmp_path / "token"):
        window.sees_connection("live")
        expect(banner).to_be_empty()
        expect(window.row(new)).to_be_visible()
        expect(window.row(gone)).to_have_count(0)
        assert shown(item).state == "open"
        expect(window.box).to_have_value("teal")
        window.box.press("Control+Enter")
        expect(window.article).to_contain_text("Answered by anna")
    assert resolution(item).value == "teal"


def test_a_server_with_another_token_is_said(opened: Callable[..., Window], tmp_path: Path) -> None:
    """The page cannot go on; it says what to open, and keeps what was typed."""
    item = ask("Which colour?")
    with serving(0, tmp_path / "token") as (_, link):
        window = opened(link)
        window.open(item)
        window.box.fill("teal")
        window.context.clear_cookies()
    with serving(urlsplit(link).port or 0, tmp_path / "token"):
        window.sees_connection("refused")
        expect(window.page.get_by_role("alert").first).to_contain_text("open the link")
        expect(window.box).to_have_value("teal")


def test_an_answer_without_an_answer_counts_once(
    opened: Callable[..., Window], tmp_path: Path
) -> None:
    """The server has it, but its word got lost: to send it again does no harm."""
    item = ask("Which colour?")
    with serving(0, tmp_path / "token") as (_, link):
        window = opened(link)
        window.open(item)
        window.context.route("**/respond", lambda route: (route.fetch(), route.abort()))
        window.box.fill("teal")
        window.press("Control+Enter")
        expect(window.page.locator(".toast")).to_contain_text("may have arrived or not")
        expect(window.article).to_contain_text("Answered by anna")
        expect(window.article.locator(".notice")).to_have_count(0)
    assert resolution(item).value == "teal"
