"""The web inbox beyond its list: filters, history, sessions, statistics, what a reload keeps."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.inbox.scene import answer, ask, hook
from tests.tmux_server import TmuxServer
from tests.web.browser.window import Window, link
from tests.web.served import Served


def test_search_and_filters_survive_a_reload(window: Window) -> None:
    """They stand in the address."""
    wanted, other = ask("the needle", kind="blocker"), ask("the haystack")
    expect(window.row(other)).to_be_visible()
    window.press("/")
    window.page.keyboard.type("NEEDLE")
    expect(window.row(other)).to_have_count(0)
    window.page.get_by_label("urgency").select_option("blocking")
    window.page.reload()
    expect(window.row(wanted)).to_be_visible()
    expect(window.row(other)).to_have_count(0)
    expect(window.page.get_by_role("searchbox")).to_have_value("NEEDLE")
    expect(window.page.get_by_label("urgency")).to_have_value("blocking")


def test_what_is_written_survives_a_look_at_another_item(window: Window) -> None:
    """And what happens to the item meanwhile."""
    one, two = ask("first", key="k"), ask("second")
    window.open(one)
    window.box.fill("half an ans")
    ask("first", key="k")
    expect(window.row(one)).to_contain_text("asked 2 times")
    expect(window.box).to_have_value("half an ans")
    window.open(two)
    expect(window.box).to_have_value("")
    window.open(one)
    expect(window.box).to_have_value("half an ans")


def test_an_item_has_an_address_of_its_own(window: Window) -> None:
    """Also one that is settled already; a wrong one is said to be wrong."""
    item = ask("long ago")
    answer(item, value="so be it")
    window.go(f"#/inbox/{item}")
    expect(window.article).to_contain_text("so be it")
    window.go("#/inbox/0123")
    expect(window.page.locator("#detail")).to_contain_text("0123")
    expect(window.article).to_have_count(0)


def test_history_tells_what_was_asked_newest_first(window: Window) -> None:
    """With a filter of its own, page by page, and what is settled while one looks."""
    items = [ask(f"question {number}") for number in range(60)]
    answer(items[0], kind="deny", value=None)
    window.press("g", "h")
    expect(window.page.locator(".row")).to_have_count(50)
    first = window.page.locator(".row").first
    assert first.get_attribute("data-key") == items[-1]
    window.page.get_by_role("button", name="Show more").click()
    expect(window.page.locator(".row")).to_have_count(60)
    window.page.get_by_label("state").select_option("denied")
    expect(window.page.locator(".row")).to_have_count(1)
    answer(items[1], kind="deny", value=None)
    expect(window.row(items[1])).to_contain_text("denied")


def test_a_session_shows_its_true_state(window: Window) -> None:
    """As it is now."""
    hook("GembaState", "s1", state="working", note="sorting the stock")
    window.press("g", "s")
    expect(window.row("s1")).to_contain_text("sorting the stock")
    window.open("s1")
    expect(window.article).to_contain_text("working")
    expect(window.article.locator(".screen")).to_contain_text("no pane is known")
    hook("GembaState", "s1", state="stalled")
    expect(window.article).to_contain_text("stalled")
    window.keep("session")


def test_the_pane_of_an_agent_is_seen_beside_its_question(window: Window, tmux: TmuxServer) -> None:
    """On request, and again and again while it is open."""
    pane = tmux.new_pane(["sh", "-c", "printf 'before\\033[31m'; read line; printf after; cat"])
    address = {
        "tmux_socket": str(tmux.socket),
        "tmux_server_pid": tmux.server_pid,
        "tmux_pane": pane.pane_id,
    }
    window.open(ask("Look here", reply_to=address))
    window.press("p")
    screen = window.article.locator(".screen")
    expect(screen).to_contain_text("before")
    tmux.run("send-keys", "-t", pane.pane_id, "Enter")
    expect(screen).to_contain_text("after")


def test_skills_are_completed_in_an_answer(window: Window) -> None:
    """Those of the folder in which the server runs; what is no skill is said."""
    window.open(ask("What now?"))
    window.box.click()
    window.page.keyboard.type("please $gemba-w")
    expect(window.page.get_by_role("option", name="$gemba-walk")).to_be_visible()
    window.keep("completion")
    window.press("Enter")
    expect(window.box).to_have_value("please $gemba-walk ")
    window.box.fill("$gemba-wulk now")
    expect(window.article.locator(".said")).to_contain_text("No skill named 'gemba-wulk'")


def test_the_keys_are_explained(window: Window) -> None:
    """By a question mark."""
    window.press("?")
    expect(window.page.get_by_role("dialog", name="Keys")).to_contain_text("approve")
    window.press("Escape")
    expect(window.page.get_by_role("dialog", name="Keys")).to_be_hidden()


def test_statistics_are_drawn(window: Window) -> None:
    """With the same figures as the command's."""
    answer(ask("one"))
    ask("two")
    window.press("g", "t")
    figures = window.page.locator(".figures")
    expect(figures).to_contain_text("1open")
    expect(figures).to_contain_text("2asked")
    expect(window.page.locator("svg.columns")).to_have_count(2)
    window.keep("stats")


def test_statistics_follow_what_happens(window: Window) -> None:
    """While one looks at them."""
    item = ask("one")
    window.press("g", "t")
    figures = window.page.locator(".figures")
    expect(figures).to_contain_text("1open")
    answer(item)
    expect(figures).to_contain_text("0open")
    expect(figures).to_contain_text("1answered by people")


def test_it_says_who_decides_here(opened: Callable[..., Window], server: Served) -> None:
    """By the name of the link."""
    window = opened(link(server, "bert"))
    expect(window.page.locator("#operator")).to_have_text("bert")
