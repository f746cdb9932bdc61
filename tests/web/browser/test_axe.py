"""The web inbox for everybody: axe finds nothing serious on any of its pages."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.conftest import IN_CI
from tests.inbox.scene import answer, ask, hook
from tests.web.browser.window import DESK, PHONE, Window, link
from tests.web.served import Served

AXE = Path(__file__).parents[3] / ".axe" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core."""
    if not AXE.exists():
        reason = "axe-core is not installed: `make axe`"
        if IN_CI:
            pytest.fail(reason)
        pytest.skip(reason)
    return AXE.read_text()


def serious(window: Window, axe: str) -> list[str]:
    """What axe finds that keeps people out, each with the element."""
    # Evaluated by the debugger, so that the page's own policy against scripts stays in force.
    window.page.evaluate(axe)
    found: dict[str, Any] = window.page.evaluate("axe.run()")
    return [
        f"{one['id']}: {node['html']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.parametrize(
    "options",
    [{"viewport": DESK}, {"viewport": DESK, "color_scheme": "dark"}, {"viewport": PHONE}],
    ids=["light", "dark", "phone"],
)
def test_axe_finds_nothing_serious(
    opened: Callable[..., Window], server: Served, axe: str, options: dict[str, Any]
) -> None:
    """In light and dark, on a desk and on a phone, on every kind of page."""
    question = ask("Which?\n\n`code` and https://example.org", bead_id="gm-1", kind="blocker",
                   options=[{"value": "a", "label": "A"}], deadline="2100-01-01T00:00:00Z",
                   on_expiry="cancel")  # fmt: skip
    done = ask("Done?", "s2")
    answer(done)
    permission = hook("PermissionRequest", "s3", agent_type="claude", session_id="c",
                      tool_name="Edit", tool_input={"file_path": "/a", "old_string": "x",
                                                    "new_string": "y"})  # fmt: skip
    window = opened(link(server), **options)
    for place in ("inbox", f"inbox/{question}", f"inbox/{permission}", f"history/{done}", "history",
                  "sessions", "sessions/s1", "stats"):  # fmt: skip
        window.go(f"#/{place}")
        shown = window.article if "/" in place else window.page.locator("#master .row, #master svg")
        expect(shown.first).to_be_visible()
        assert serious(window, axe) == [], place
    window.press("?")
    assert serious(window, axe) == [], "help"
