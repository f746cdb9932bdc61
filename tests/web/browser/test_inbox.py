"""The web inbox: what is open appears, and is decided, without a reload."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.ask.agent import QUESTION, waiting
from tests.inbox.scene import answer, ask, cancel, delivery, hook, resolution, shown
from tests.waiting import wait_until
from tests.web.browser.window import PHONE, Window, link
from tests.web.served import Served

OPTIONS = [{"value": "blue", "label": "Blue, as before"}, {"value": "green", "label": "Green"}]


def permission(
    command: str = "rm -rf build", session: str = "s1", agent_type: str = "claude"
) -> str:
    """An agent asks whether it may run that; the escalation's id."""
    given = {"command": command}
    return hook(
        "PermissionRequest",
        session,
        agent_type=agent_type,
        session_id="c",
        tool_name="Bash",
        tool_input=given,
    )


def is_settled(item: str) -> None:
    """Wait until it is on the record."""
    wait_until(lambda: shown(item).state != "open", what="the decision")


def test_an_ask_appears_without_reload(window: Window) -> None:
    """In the list, in the window's title, and in the icon."""
    expect(window.page.locator(".empty").first).to_contain_text("Nothing is open")
    icon = window.page.locator("#icon").get_attribute("href")
    item = ask("Which port may I use?")
    expect(window.row(item)).to_contain_text("Which port may I use?")
    expect(window.page).to_have_title("(1) Gemba")
    assert window.page.locator("#icon").get_attribute("href") != icon
    cancel(item)
    expect(window.row(item)).to_have_count(0)
    expect(window.page).to_have_title("Gemba")


def test_what_blocks_stands_first_then_the_oldest(window: Window) -> None:
    """However late it came."""
    old, young, blocking = ask("old"), ask("young"), ask("now", kind="blocker")
    expect(window.page.locator(".row")).to_have_count(3)
    keys = [row.get_attribute("data-key") for row in window.page.locator(".row").all()]
    assert keys == [blocking, old, young]


def test_it_is_answered_by_keyboard_alone(window: Window) -> None:
    """Down, into the box, words, send; and the receipt of the agent appears."""
    with waiting(*QUESTION) as waiter:
        expect(window.row(waiter.id)).to_be_visible()
        window.press("j", "r")
        window.page.keyboard.type("teal, with a dark rim")
        window.press("Control+Enter")
        assert waiter.end()[:2] == (0, "teal, with a dark rim\n")
        expect(window.article.locator(".delivery")).to_contain_text("collected")
    done = resolution(waiter.id)
    assert (done.value, done.resolved_by, done.via) == ("teal, with a dark rim", "anna", "web")


def test_it_is_answered_by_mouse(window: Window) -> None:
    """Its options are buttons."""
    item = ask("Which colour?", options=OPTIONS)
    window.open(item)
    window.keep("options")
    window.button("Blue, as before").click()
    expect(window.article).to_contain_text("Answered by anna via web")
    assert resolution(item).value == "blue"


def test_a_digit_answers_with_that_option(window: Window) -> None:
    """The second of them."""
    item = ask("Which colour?", options=OPTIONS)
    window.open(item)
    window.press("2")
    expect(window.article).to_contain_text("Answered by anna")
    assert resolution(item).value == "green"


@pytest.mark.parametrize(("key", "kind"), [("a", "approve"), ("d", "deny")])
def test_a_key_approves_or_denies(window: Window, key: str, kind: str) -> None:
    """What is shown, and nothing else."""
    item, other = ask("this one", kind="blocker"), ask("another one")
    window.open(item)
    window.press(key)
    is_settled(item)
    assert resolution(item).kind == kind
    assert shown(other).state == "open"


def test_what_is_written_goes_with_a_denial(window: Window) -> None:
    """As its reason."""
    item = ask("May I?")
    window.open(item)
    window.box.fill("not before Monday")
    window.button("Deny").click()
    is_settled(item)
    assert (resolution(item).kind, resolution(item).value) == ("deny", "not before Monday")


def test_letters_in_the_answer_are_no_commands(window: Window) -> None:
    """Nor is Enter, which begins a line there."""
    item = ask("Say something")
    window.open(item)
    window.box.click()
    for key in "adrxj?/12":
        window.press(key)
    window.press("Enter")
    expect(window.box).to_have_value("adrxj?/12\n")
    assert shown(item).state == "open"
    expect(window.page.locator("dialog[open]")).to_have_count(0)


def test_a_key_that_is_held_decides_once(window: Window) -> None:
    """Its repeats are none: the next item could be under it."""
    item = ask("one")
    window.open(item)
    repeat = "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', repeat: true}))"
    window.page.evaluate(repeat)
    window.press("c")  # a request that comes after it
    expect(window.article).to_contain_text("looks after it")
    assert shown(item).state == "open"


def test_it_is_reopened(window: Window) -> None:
    """And is in the list again."""
    item = ask("Sure?")
    window.open(item)
    window.press("a")
    expect(window.article).to_contain_text("Approved by anna")
    window.button("Reopen").click()
    expect(window.box).to_be_visible()
    assert shown(item).state == "open"


def test_defer_and_cancel_close_it(window: Window) -> None:
    """Each in its own words."""
    one, two = ask("later"), ask("never")
    window.open(one)
    window.button("Defer").click()
    expect(window.article).to_contain_text("Deferred")
    window.open(two)
    window.button("Cancel").click()
    expect(window.article).to_contain_text("Canceled")
    assert (shown(one).state, shown(two).state) == ("resolved", "canceled")


def test_on_a_phone_the_item_takes_the_whole_window(
    opened: Callable[..., Window], server: Served
) -> None:
    """Nothing must be scrolled sideways, and back leads to the list."""
    item = ask("May I delete the branch `feature/a-rather-long-name-for-a-branch`?", kind="blocker")
    window = opened(link(server), viewport=PHONE, has_touch=True, is_mobile=True)
    for name in ("phone-list", "phone-item"):
        expect(window.row(item) if name == "phone-list" else window.article).to_be_visible()
        wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        assert window.page.evaluate(wide) is False
        window.keep(name)
        window.row(item).locator("a").tap() if name == "phone-list" else None
    expect(window.row(item)).to_be_hidden()
    window.box.fill("yes, do")
    window.button("Answer").tap()
    expect(window.article).to_contain_text("Answered by anna")
    window.page.locator(".back").tap()
    expect(window.page.locator("#detail")).to_be_hidden()


def test_of_two_windows_one_wins_and_the_other_is_told(
    opened: Callable[..., Window], server: Served
) -> None:
    """By whom and how; what the other has typed is not lost."""
    item = ask("Which colour?")
    anna, bert = opened(link(server)), opened(link(server, "bert"))
    anna.open(item)
    bert.open(item)
    bert.box.fill("red, please")
    anna.box.fill("blue")
    anna.press("Control+Enter")
    for window in (anna, bert):
        expect(window.article).to_contain_text("Answered by anna via web")
    expect(bert.article).to_contain_text("red, please")
    expect(bert.article).to_contain_text("Not sent")
    bert.keep("second")
    assert resolution(item).value == "blue"


def test_who_comes_too_late_is_told_who_was_first(
    opened: Callable[..., Window], server: Served
) -> None:
    """Even if the event of it has not arrived: the server says so."""
    item = ask("Which colour?")
    window = opened(link(server))
    window.open(item)
    # As if the event were still on its way when the answer is sent.
    window.context.route("**/respond", lambda route: (answer(item), route.continue_()))
    window.box.fill("red")
    window.press("Control+Enter")
    expect(window.article).to_contain_text("Answered by anna via cli")
    assert resolution(item).value == "blue"


def test_a_claim_is_shown_to_all(opened: Callable[..., Window], server: Served) -> None:
    """So that nobody does the work twice."""
    item = ask("A long story")
    anna, bert = opened(link(server)), opened(link(server, "bert"))
    anna.open(item)
    anna.press("c")
    expect(bert.row(item)).to_contain_text("with anna")
    anna.press("c")
    expect(bert.row(item)).not_to_contain_text("with anna")


def test_several_are_decided_at_once(window: Window) -> None:
    """Chosen by keys, looked at once more, all or none."""
    items = [ask(f"question {number}") for number in range(3)]
    for item in items:
        expect(window.row(item)).to_be_visible()
    window.press("j", "x", "j", "x", "d")
    expect(window.page.locator("dialog[open]")).to_contain_text("Deny 2 items")
    window.keep("bulk")
    window.button("Deny 2 items").click()
    is_settled(items[1])
    assert [shown(item).state for item in items] == ["resolved", "resolved", "open"]


@pytest.mark.parametrize(("key", "title"), [("a", "Approve 2 items"), ("r", "Answer 2 items")])
def test_permissions_are_never_approved_together(window: Window, key: str, title: str) -> None:
    """The dialog says why, and has no button for it."""
    items = [permission(), ask("May I?")]
    for item in items:
        window.row(item).get_by_role("checkbox").check()
    window.press(key)
    dialog = window.page.locator("dialog[open]")
    expect(dialog).to_contain_text("One of them is a permission or an approval")
    expect(dialog.get_by_role("button")).to_have_count(1)
    window.press("Escape")
    assert [shown(item).state for item in items] == ["open", "open"]


@pytest.mark.parametrize(("agent_type", "count"), [("claude", 1), ("codex", 0)])
def test_a_permission_offers_what_its_client_takes(
    window: Window, agent_type: str, count: int
) -> None:
    """A lasting rule, and another command, of Claude Code alone."""
    window.open(permission(agent_type=agent_type))
    expect(window.article.get_by_role("button", name="Approve always")).to_have_count(count)
    expect(window.article.get_by_role("button", name="Run this instead")).to_have_count(count)
    expect(window.button("Deny")).to_be_visible()


def test_equal_questions_come_together(window: Window) -> None:
    """And one answer does for all, if that is wanted."""
    items = [ask("May I drop Python 3.10?", f"s{number}") for number in range(3)]
    expect(window.page.locator(".row.follows")).to_have_count(2)
    window.open(items[0])
    window.article.get_by_label("Answer 2 others").check()
    window.box.fill("yes")
    window.press("Control+Enter")
    is_settled(items[2])
    assert [resolution(item).value for item in items] == ["yes"] * 3


def test_a_permission_shows_the_exact_command(window: Window) -> None:
    """And whatever else is in the tool's input."""
    item = permission("git push --force origin main")
    window.open(item)
    expect(window.article.locator("pre.command")).to_have_text("git push --force origin main")
    window.keep("permission")


def test_a_permission_to_edit_shows_the_change(window: Window) -> None:
    """Line by line, with what stays."""
    change = {"old_string": "one\ntwo\nthree", "new_string": "one\nTWO\nthree\nfour"}
    given = {"file_path": "/srv/app.py", **change, "all": True}
    item = hook("PermissionRequest", session_id="c", tool_name="Edit", tool_input=given)
    window.open(item)
    lines = window.article.locator(".diff .line").all_inner_texts()
    assert [line.rstrip("\n") for line in lines] == ["  one", "- two", "+ TWO", "  three", "+ four"]
    expect(window.article).to_contain_text("/srv/app.py")
    expect(window.article.locator(".facts")).to_contain_text("true")


def test_a_failed_delivery_is_said(window: Window) -> None:
    """With the reason, and with what can be done."""
    item = ask("Which?")
    answer(item)
    wait_until(lambda: delivery(item)[0], what="a delivery")
    window.go(f"#/history/{item}")
    expect(window.article.locator(".delivery")).to_contain_text("no pane to type into")
