"""The web inbox in the background: it is noticed, if a person asked for that."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.inbox.scene import ask
from tests.web.browser.window import Window, link
from tests.web.served import Served

# What the page shows is remembered; the desktop of a test has nobody to look at it.
REMEMBER = """() => {
window.notes = [];
const real = window.Notification;
window.Notification = class extends real {
    constructor(title, about) { super(title, about); window.notes.push([title, about.body]); }
};
}"""


def test_notifications_come_once_they_are_wanted(
    opened: Callable[..., Window], server: Served
) -> None:
    """Not before; and again after a reload."""
    window = opened(link(server), permissions=["notifications"])
    window.page.evaluate(REMEMBER)
    expect(window.row(ask("unheard"))).to_be_visible()
    toggle = window.page.get_by_role("button", name="Notify")
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    expect(window.row(ask("Look \u202e here", "s2", kind="blocker"))).to_be_visible()
    assert window.page.evaluate("notes") == [["blocking: s2", "Look \u2039U+202E\u203a here"]]
    window.page.reload()
    expect(toggle).to_have_attribute("aria-pressed", "true")


def test_without_the_browsers_leave_it_says_so(
    opened: Callable[..., Window], server: Served
) -> None:
    """And does not pretend that notifications are on."""
    window = opened(link(server))
    toggle = window.page.get_by_role("button", name="Notify")
    toggle.click()
    expect(window.page.locator(".toast")).to_contain_text("does not allow")
    expect(toggle).to_have_attribute("aria-pressed", "false")


def test_the_sound_is_on_or_off(window: Window) -> None:
    """And is so after a reload."""
    toggle = window.page.get_by_role("button", name="Sound")
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    expect(window.row(ask("heard"))).to_be_visible()
    window.page.reload()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "false")


def test_what_comes_is_read_aloud(window: Window) -> None:
    """By those programs that read a page's status."""
    ask("Which way?", kind="blocker")
    expect(window.page.locator("#status")).to_have_text("New, blocking: Which way?")
