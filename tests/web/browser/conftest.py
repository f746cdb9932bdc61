"""A real browser for these tests. In CI a missing one is a failure."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.conftest import IN_CI
from tests.web.browser.window import Window, link
from tests.web.served import Served

Opener = Callable[..., Window]

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, for one file of tests: Playwright's event loop may not outlive it."""
    program = os.environ.get("GEMBA_TEST_CHROMIUM") or shutil.which("chromium")
    if program is None:
        reason = "Chromium is not installed, or name it: GEMBA_TEST_CHROMIUM"
        if IN_CI:
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=list(_FLAGS))
        with closing(running):
            yield running


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., Window]]:
    """Opens windows by their link; closes them all after the test."""
    with ExitStack() as stack:

        def one(address: str, **options: Any) -> Window:
            window = Window(browser, address, **options)
            stack.callback(window.close)
            return window

        yield one


@pytest.fixture
def window(opened: Callable[..., Window], server: Served) -> Window:
    """A window of anna's, on a desk."""
    return opened(link(server))
