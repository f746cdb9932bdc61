"""A browser's window with the web inbox in it, as a person uses it."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, expect

from tests.web.served import Served

ARTIFACTS = Path(__file__).parents[3] / "artifacts" / "web"
DESK = {"width": 1200, "height": 800}
PHONE = {"width": 360, "height": 700}


class Window:
    """One window with cookies of its own. Whatever its scripts complain of is in `complaints`."""

    def __init__(self, browser: Browser, link: str, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": DESK, **options})
        self.context.set_default_timeout(15_000)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self._said(said.type, said.text))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        self.page.goto(link)
        self.sees_connection("live")

    def _said(self, kind: str, text: str) -> None:
        # What the network does to it is the page's to tell; a refused script is not.
        if kind == "error" and "Failed to load resource" not in text and "net::ERR" not in text:
            self.complaints.append(text)

    def sees_connection(self, state: str) -> None:
        """Wait until the page says so of its connection."""
        expect(self.page.locator("#connection")).to_have_text(state, timeout=20_000)

    def row(self, item: str) -> Locator:
        """The row of that escalation, or of that session."""
        return self.page.locator(f'.row[data-key="{item}"]')

    @property
    def article(self) -> Locator:
        """The details that are shown."""
        return self.page.locator("article")

    @property
    def box(self) -> Locator:
        """Where an answer is written."""
        return self.page.locator("#answer")

    def button(self, name: str) -> Locator:
        """The button of that name in the details or in a dialog that is open."""
        return self.page.locator("article, dialog[open]").get_by_role("button", name=name).first

    def open(self, item: str) -> None:
        """Click on its row, and wait for its details."""
        self.row(item).locator("a").click()
        expect(self.row(item).locator("a")).to_have_attribute("aria-current", "true")
        expect(self.article).to_be_visible()

    def press(self, *keys: str) -> None:
        """Press these one after the other, wherever the focus is."""
        for key in keys:
            self.page.keyboard.press(key)

    def go(self, place: str) -> None:
        """Follow the address of a place in the page."""
        self.page.evaluate("place => { location.hash = place }", place)

    def keep(self, name: str) -> None:
        """A screenshot for people to look at."""
        ARTIFACTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=ARTIFACTS / f"{name}.png")

    def close(self) -> None:
        """Close it. Its scripts must have complained of nothing."""
        self.context.close()
        assert self.complaints == []


def link(server: Served, operator: str = "anna") -> str:
    """The link that lets that person in."""
    return f"{server.url}/?token={server.token}&as={operator}"
