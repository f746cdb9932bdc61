"""Text of agents in the web inbox: shown as it stands, and nothing else."""

import pytest
from playwright.sync_api import expect

from tests.inbox.scene import ask, hook
from tests.web.browser.window import Window

SCRIPTS = (
    "<script>window.taken=1</script>"
    "<img src=x onerror='window.taken=1'><svg onload='window.taken=1'></svg>"
    "<iframe srcdoc='<script>parent.taken=1</script>'></iframe><style>*{display:none}</style>"
)

# All text of the page, and what is shown or read aloud of attributes.
SHOWN = """
document.title + document.documentElement.textContent + [...document.querySelectorAll("*")]
    .map((one) => one.title + one.ariaLabel + one.placeholder).join()
"""


def intact(window: Window) -> None:
    """Nothing of an agent's text became more than text."""
    assert window.page.evaluate("window.taken === undefined") is True
    made = "script:not([src^='/static/']), iframe, style, img:not([src='/static/favicon.svg'])"
    expect(window.page.locator(made)).to_have_count(0)
    expect(window.page.locator("[onerror], [onload], [onclick], [style]")).to_have_count(0)


@pytest.mark.parametrize("place", ["text", "options", "bead_id", "session", "tool"])
def test_markup_is_text_wherever_it_comes(window: Window, place: str) -> None:
    """In the list, in the details, in the address."""
    if place == "tool":
        given = {SCRIPTS: SCRIPTS, "command": SCRIPTS}
        item = hook("PermissionRequest", session_id="c", tool_name=SCRIPTS, tool_input=given)
    elif place == "session":
        item = ask("plain", SCRIPTS)
    else:
        options = [{"value": SCRIPTS, "label": SCRIPTS}] if place == "options" else None
        item = ask(
            SCRIPTS if place == "text" else "plain",
            bead_id=SCRIPTS if place == "bead_id" else None,
            options=options,
        )
    window.open(item)
    expect(window.article).to_contain_text("<script>window.taken=1</script>")
    intact(window)
    window.button("Defer").click()
    expect(window.article).to_contain_text("Deferred by anna")
    window.go("#/sessions")
    expect(window.page.locator(".row")).to_have_count(1)
    intact(window)


@pytest.mark.parametrize(
    "text",
    [
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt:alert(1))",
        "[a](java\tscript:alert(1))",
        "[a](data:text/html,<script>alert(1)</script>)",
        "[a](vbscript:x) [b](file:///etc/passwd) [c](//evil.example/x)",
        "![a](https://evil.example/pixel.png)",
        "<a href='javascript:alert(1)'>a</a>",
        "[https://good.example](https://evil.example/)",
        "https://good.example@evil.example/",
        '[a](https://evil.example/"onmouseover="alert(1))',
        "[a](https://g\u043e\u043ed.example/)",
    ],
)
def test_only_the_web_can_be_clicked_and_each_link_says_where_it_leads(
    window: Window, text: str
) -> None:
    """Its words may say otherwise; a host in foreign letters is shown as what it is."""
    window.open(ask(f"Look:\n\n{text}"))
    expect(window.article.locator(".body")).to_contain_text("e")
    for link in window.article.locator(".body a").all():
        address = link.get_attribute("href") or ""
        assert address.startswith("https://")
        assert address.isascii()
        assert link.inner_text() == address
        assert link.get_attribute("rel") == "noopener noreferrer"
    intact(window)


def test_no_character_hides_or_turns_others(window: Window) -> None:
    """Each has a mark with its number: bidi controls, escapes, tags, what has no width."""
    hidden = "\x1b\x9b\x00\x07\u202e\u2066\u200f\u061c\u200b\ufeff\u2028\u00ad\U000e0041"
    item = ask(f"Run{hidden} it?\n\nsafe{hidden}.txt", f"s{hidden}")
    window.open(item)
    window.keep("hidden-characters")
    body = window.article.locator(".body")
    marks = body.locator(".hidden-character").all_inner_texts()
    assert marks == [f"U+{ord(one):04X}" for one in hidden] * 2
    assert not set(window.page.evaluate(SHOWN)) & set(hidden)


def test_a_megabyte_does_not_stop_the_page(window: Window) -> None:
    """Its beginning is shown; the whole is shown if that is wanted."""
    item = ask("**word** `x` [a](b) " * 50_000)
    window.open(item)
    assert len(window.article.inner_text()) < 100_000
    window.button("Show all 977 KiB").click()
    expect(window.article.locator("pre.whole")).to_be_visible()
    assert len(window.article.locator("pre.whole").inner_text()) > 990_000
    window.box.fill("no")
    window.press("Control+Enter")
    expect(window.article).to_contain_text("Answered by anna")


def test_a_permission_is_shown_to_its_end(window: Window) -> None:
    """However long it is: what does the harm may stand there."""
    command = f"echo {'x ' * 200_000}; rm -rf /"
    item = hook("PermissionRequest", session_id="c", tool_name="Bash",
                tool_input={"command": command})  # fmt: skip
    window.open(item)
    assert window.article.locator("pre.command").inner_text() == command


@pytest.mark.parametrize(
    "text",
    [
        "*" * 20_000,
        "_a" * 10_000,
        "[" * 20_000,
        "`" * 19_999,
        "> " * 9_000,
        "- " * 9_000,
        "**a" * 6_000,
        "https://" * 2_400,
        "[a](" * 5_000,
    ],
    ids=lambda text: text[:8],
)
def test_no_markdown_takes_long(window: Window, text: str) -> None:
    """However it is nested, repeated or left open."""
    item = ask(f"Look:\n\n{text}")
    expect(window.row(item)).to_be_visible()
    started = window.page.evaluate("performance.now()")
    window.open(item)
    assert window.page.evaluate("performance.now()") - started < 2000


def test_markdown_is_read(window: Window) -> None:
    """The small part of it that agents write."""
    text = (
        "Look:\n\n## Plan\n\n1. first\n2. second, *soon*\n\n- a **bold** `move`\n\n> quoted\n\n"
        "```sh\nmake <all>\n```\nsnake_case_name 2*3*4\n\n---\nsee https://example.org/x."
    )
    window.open(ask(text))
    body = window.article.locator(".body")
    expect(body.locator("p.heading")).to_have_text("Plan")
    expect(body.locator("ol > li")).to_have_text(["first", "second, soon"])
    expect(body.locator("ul > li strong")).to_have_text("bold")
    expect(body.locator("ul > li code")).to_have_text("move")
    expect(body.locator("blockquote")).to_have_text("quoted")
    expect(body.locator("pre")).to_have_text("make <all>")
    expect(body.locator("em")).to_have_text(["soon"])
    expect(body.locator("a")).to_have_text("https://example.org/x")
    expect(body).to_contain_text("snake_case_name 2*3*4")
    window.keep("markdown")
