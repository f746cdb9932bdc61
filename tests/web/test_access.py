"""Who may come in: the token, and no page of another site."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from gemba.web.access import Door
from tests.inbox.scene import ask, resolution, shown
from tests.web.served import Served

DOOR = Door("t" * 32, frozenset({"localhost"}), False, 80, "anna")


@contextmanager
def enter(server: Served, **more: str) -> Iterator[httpx.Client]:
    """A browser that has followed the link."""
    with server.anybody() as browser:
        answer = browser.get("/", params={"token": server.token, **more})
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        yield browser


def post(browser: httpx.Client, item: str, headers: dict[str, str]) -> int:
    """The status that its answer gets."""
    body = {"kind": "approve", "nonce": "n"}
    return browser.post(f"/api/escalations/{item}/respond", json=body, headers=headers).status_code


@pytest.mark.parametrize("path", ["/api/health", "/openapi.json", "/static/app.js", "/api/none"])
@pytest.mark.parametrize(
    "headers",
    [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic eDp4"}, {"Cookie": "a=b"}],
    ids=str,
)
def test_without_the_token_nothing_is_told(
    server: Served, path: str, headers: dict[str, str]
) -> None:
    """Not even whether there is such a path."""
    with server.anybody() as nobody:
        answer = nobody.get(path, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["_kind"] == "no_token"


def test_the_link_lets_a_browser_in(server: Served) -> None:
    """By a cookie that no script reads and no other site sends, and that nothing else has seen."""
    with enter(server) as browser:
        answer = browser.get("/api/health")
        assert answer.status_code == 200
    with server.anybody() as other:
        cookie = other.get("/", params={"token": server.token}).headers["set-cookie"].lower()
    assert {"httponly", "samesite=strict", "path=/"} <= set(cookie.split("; "))


def test_the_link_may_say_who_comes(server: Served) -> None:
    """Then that name is on the record."""
    item = ask()
    with enter(server, **{"as": "Zoë"}) as browser:
        assert browser.get("/api/health").json()["operator"] == "Zoë"
        assert post(browser, item, {"Origin": server.url}) == 200
    assert resolution(item).resolved_by == "Zoë"


@pytest.mark.parametrize("token", ["", "wrong"])
def test_another_link_lets_nobody_in(server: Served, token: str) -> None:
    """It says what to do instead, and sets no cookie."""
    with server.anybody() as browser:
        answer = browser.get("/", params={"token": token})
    assert answer.status_code == 401
    assert "gemba serve" in answer.text
    assert "set-cookie" not in answer.headers


def test_with_the_cookie_our_own_page_may_post(server: Served) -> None:
    """Its browser says whose page it is."""
    item = ask()
    with enter(server) as browser:
        assert post(browser, item, {"Origin": server.url}) == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://localhost"},
    ],
    ids=str,
)
def test_with_the_cookie_no_other_page_may_post(server: Served, headers: dict[str, str]) -> None:
    """Not even one of this machine's other ports."""
    item = ask()
    with enter(server) as browser:
        assert post(browser, item, headers) == 403
    assert shown(item).state == "open"


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_no_other_page_may_embed_what_we_answer(server: Served, site: str) -> None:
    """The browser tells which page asks."""
    with enter(server) as browser:
        answer = browser.get("/api/escalations", headers={"Sec-Fetch-Site": site})
    assert (answer.status_code, answer.json()["_kind"]) == (403, "foreign_origin")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "", "[", "169.254.1.1"])
def test_a_foreign_name_is_refused_even_with_the_token(server: Served, host: str) -> None:
    """A name that was made to point here is somebody else's page."""
    answer = server.http.get("/api/health", headers={"Host": host})
    assert (answer.status_code, answer.json()["_kind"]) == (403, "foreign_host")


@pytest.mark.parametrize("host", ["localhost:9000", "127.0.0.1", "127.9.9.9:1", "[::1]:80"])
def test_each_name_of_this_machine_will_do(host: str) -> None:
    """Whatever the port: a tunnel may lead here."""
    assert DOOR.is_host(host)


@pytest.mark.parametrize("given", [None, "", "t", "t" * 31, "t" * 33, "é" * 32, "\ud800"])
def test_only_the_whole_token_is_the_token(given: str | None) -> None:
    """Compared as bytes, whatever is given."""
    assert not DOOR.is_token(given)
    assert DOOR.is_token("t" * 32)


@pytest.mark.parametrize("path", ["/", "/api/health", "/api/none", "/static/none"])
def test_every_answer_forbids_what_pages_do_not_need(server: Served, path: str) -> None:
    """Scripts in the page, frames around it, and guesses of what a file is."""
    headers = server.http.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_no_answer_of_the_api_is_kept_by_a_browser(server: Served) -> None:
    """It holds what agents and people wrote."""
    assert server.http.get("/api/escalations").headers["cache-control"] == "no-store"


def test_the_token_lies_where_only_its_owner_reads_it(server: Served) -> None:
    """For programs on this machine."""
    path = Path(os.environ["GEMBA_HOME"]) / "serve.token"
    assert path.read_text().strip() == server.token
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
