"""/api/escalations: the inbox's use-cases over HTTP."""

import json
from typing import Any

import pytest

from tests.ask.agent import QUESTION, waiting
from tests.inbox.scene import (
    answer,
    ask,
    cancel,
    escalate,
    frames,
    hook,
    payloads,
    resolution,
    shown,
)
from tests.operator.desk import told
from tests.waiting import wait_until
from tests.web.served import Served, served


def ids(page: dict[str, Any]) -> list[str]:
    """Those of the page's items."""
    return [item["id"] for item in page["items"]]


def test_the_list_is_that_of_the_command(server: Served) -> None:
    """The same items with the same fields, in the same order."""
    ask("one")
    ask("two", kind="blocker")
    assert server.get("escalations") == {
        "items": told("escalations", "list"),
        "next_cursor": None,
    }


@pytest.mark.parametrize(
    "query",
    [
        {"session": "s2"},
        {"urgency": "blocking"},
        {"kind": "blocker"},
        {"role": "coach"},
        {"search": "NEEDLE"},
        {"state": "canceled"},
        {"state": ["canceled", "resolved"]},
    ],
    ids=str,
)
def test_each_filter_leaves_one_thing_through(server: Served, query: dict[str, Any]) -> None:
    """As the command's option of that name does."""
    plain = ask("hay")
    wanted = ask(
        "a needle",
        "s2" if "session" in query else "s1",
        kind="blocker" if {"urgency", "kind"} & query.keys() else "question",
        role="coach" if "role" in query else "manager",
    )
    if "state" in query:
        cancel(wanted)
    assert ids(server.get("escalations", **query)) == [wanted]
    assert set(ids(server.get("escalations", state="all"))) == {plain, wanted}


def test_since_takes_an_age_and_a_date(server: Served) -> None:
    """What was asked before is left out."""
    item = ask()
    assert ids(server.get("escalations", since="1h")) == [item]
    assert ids(server.get("escalations", since="2001-02-03")) == [item]
    assert ids(server.get("escalations", since="9998-12-31")) == []


@pytest.mark.parametrize("order", ["urgent", "newest"])
def test_pages_together_are_the_list(server: Served, order: str) -> None:
    """Each item once and in the list's order, also where new ones come between two pages."""
    asked = [ask(str(number), f"s{number % 3}") for number in range(7)]
    blocking = ask("blocking", kind="blocker")
    query: dict[str, Any] = {"order": order, "limit": 3}
    found = []
    while True:
        page = server.get("escalations", **query)
        found += ids(page)
        if page["next_cursor"] is None:
            break
        ask("new", "s9", kind="blocker")
        query["cursor"] = page["next_cursor"]
    seen = [one for one in found if one in {*asked, blocking}]
    newest = [blocking, *reversed(asked)]
    assert seen == (newest if order == "newest" else [blocking, *asked])


@pytest.mark.parametrize("cursor", ["x", "WyJzMSIsICJub25lIl0="])
def test_a_cursor_that_leads_nowhere_is_not_found(server: Served, cursor: str) -> None:
    """Rather than an empty page that looks like the end."""
    answer = server.http.get("/api/escalations", params={"cursor": cursor})
    assert (answer.status_code, answer.json()["_kind"]) == (404, "not_found")


def test_one_is_shown_as_the_command_shows_it(server: Served) -> None:
    """The beginning of the id is enough here, too."""
    item = ask()
    assert server.get(f"escalations/{item[:6]}") == told("escalations", "show", item)


def test_an_answer_is_on_the_record_with_who_gave_it(server: Served) -> None:
    """By the operator of the web session, via web; the answer of the API says how it stands."""
    item = ask()
    said = server.respond(item)
    assert said.status_code == 200
    assert said.json()["escalation"]["resolution"]["value"] == "blue"
    assert (resolution(item).resolved_by, resolution(item).via) == ("anna", "web")


@pytest.mark.parametrize("name", ["bob", "Zoë"])
def test_a_program_may_say_who_acts(server: Served, name: str) -> None:
    """By a header of its own, in UTF-8."""
    item = ask()
    server.http.headers.update({b"Gemba-Operator": name.encode()})
    assert server.respond(item).status_code == 200
    assert resolution(item).resolved_by == name


def test_what_is_no_name_is_refused(server: Served) -> None:
    """It would go on the record."""
    item = ask()
    server.http.headers["Gemba-Operator"] = "b" * 65
    assert server.respond(item).status_code == 422
    assert shown(item).state == "open"


@pytest.mark.parametrize(
    ("kind", "state"),
    [("approve", "resolved"), ("deny", "resolved"), ("defer", "resolved"), ("cancel", "canceled")],
)
def test_each_verdict_settles_with_its_note(server: Served, kind: str, state: str) -> None:
    """As the command of that name does."""
    item = ask()
    said = server.post(f"escalations/{item}/respond", kind=kind, note="why not", nonce="n")
    assert said.status_code == 200
    assert shown(item).state == state
    assert "why not" in (
        shown(item).reason or "",
        resolution(item).value if kind != "cancel" else "",
    )


@pytest.mark.parametrize("kind", ["modify", "cancel"])
def test_the_same_nonce_twice_is_one_answer(server: Served, kind: str) -> None:
    """A program that got no reply may ask again."""
    item = ask()
    body = {"kind": kind, "nonce": "n"} | ({"value": "blue"} if kind == "modify" else {})
    first = server.post(f"escalations/{item}/respond", **body)
    again = server.post(f"escalations/{item}/respond", **body)
    assert (first.status_code, again.status_code) == (200, 200)
    assert len(frames("GembaResolve") + frames("GembaCancel")) == 1


def test_the_same_nonce_answers_no_more_after_a_reopening(server: Served) -> None:
    """The item comes back open, and a nonce of its own answers it."""
    item = ask()
    server.respond(item, nonce="n1")
    server.post(f"escalations/{item}/reopen")
    again = server.respond(item, nonce="n1")
    assert again.json()["escalation"]["state"] == "open"
    assert len(frames("GembaResolve")) == 1
    assert server.respond(item, "green", nonce="n2").status_code == 200
    assert resolution(item).value == "green"


def test_the_same_nonce_is_one_answer_over_a_restart() -> None:
    """The log remembers it."""
    item = ask()
    for _ in range(2):
        with served() as server:
            assert server.respond(item).status_code == 200
    assert len(frames("GembaResolve")) == 1


def test_who_is_late_is_told_who_was_first(server: Served) -> None:
    """Who, when and how, and the escalation as it stands."""
    item = ask()
    answer(item, value="red")
    late = server.respond(item)
    assert late.status_code == 409
    said = late.json()
    assert (said["_kind"], said["retryable"]) == ("already_settled", False)
    assert said["detail"]["escalation"]["resolution"]["value"] == "red"
    assert "anna" in said["message"]
    assert said["detail"]["escalation"].keys() == server.get(f"escalations/{item}").keys()


def test_several_are_answered_at_once(server: Served) -> None:
    """With one decision, in whatever sessions they are."""
    items = [ask("a"), ask("b", "s2")]
    said = server.post("escalations/respond", ids=items, kind="modify", value="blue", nonce="n")
    assert [one["state"] for one in said.json()["escalations"]] == ["resolved", "resolved"]


def test_of_several_all_are_answered_or_none(server: Served) -> None:
    """One that was settled already keeps the others open."""
    free, settled = ask("a"), ask("b", "s2")
    answer(settled)
    said = server.post("escalations/respond", ids=[free, settled], kind="approve", nonce="n")
    assert said.status_code == 409
    assert said.json()["detail"]["escalation"]["id"] == settled
    assert shown(free).state == "open"


@pytest.mark.parametrize("kind", ["approve", "modify"])
def test_an_approval_gets_no_yes_beside_others(server: Served, kind: str) -> None:
    """It is `invalid`, with what to do; a denial of all of them is none."""
    items = [escalate("hitl_approval"), ask("b", "s2")]
    value = {"value": "yes"} if kind == "modify" else {}
    said = server.post("escalations/respond", ids=items, kind=kind, nonce="n", **value)
    assert (said.status_code, said.json()["_kind"]) == (422, "invalid")
    assert "decide it alone" in said.json()["message"]
    assert shown(items[1]).state == "open"
    denied = server.post("escalations/respond", ids=items, kind="deny", nonce="n")
    assert denied.status_code == 200


def test_reopening_voids_and_can_be_repeated(server: Served) -> None:
    """The same nonce twice is one act; what is open cannot be reopened."""
    item = ask()
    answer(item)
    for _ in range(2):
        said = server.post(f"escalations/{item}/reopen", note="not yet", nonce="n")
        assert said.json()["escalation"]["state"] == "open"
    assert len(frames("GembaReopen")) == 1
    assert server.post(f"escalations/{item}/reopen").status_code == 409


def test_a_claim_is_seen_by_the_others(server: Served) -> None:
    """Who claims what another looks after is told so; a release ends it."""
    item = ask()
    claimed = server.post(f"escalations/{item}/claim", minutes=5).json()["escalation"]
    assert claimed["claimed_by"] == "anna"
    assert claimed["claimed_until"]
    server.http.headers["Gemba-Operator"] = "bob"
    late = server.post(f"escalations/{item}/claim")
    assert late.status_code == 409
    assert late.json()["detail"]["escalation"]["id"] == item
    assert server.post(f"escalations/{item}/release").json()["escalation"]["claimed_by"] is None


def test_a_lost_delivery_can_be_given_up(server: Served) -> None:
    """The pane is free then, and the record says who decided it."""
    item = ask()
    [settled] = answer(item)
    hook(
        "GembaDelivery", resolution_id=settled.resolution_id, attempt=1, status="uncertain", by="x"
    )
    wait_until(lambda: server.get(f"escalations/{item}")["delivery"], what="the delivery")
    said = server.post(f"escalations/{item}/redeliver", leave=True)
    assert said.json()["escalation"]["delivery"]["status"] == "failed"
    assert "anna" in payloads("GembaDelivery")[-1]["detail"]


def test_an_answer_reaches_the_agent_that_waits(server: Served) -> None:
    """With nothing else running."""
    with waiting(*QUESTION) as agent:
        assert server.respond(agent.id, "green").status_code == 200
        code, out, _ = agent.end()
    assert (code, out.strip().splitlines()[-1]) == (0, "green")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"kind": "modify", "nonce": "n"},
        {"kind": "modify", "value": " \x01\n", "nonce": "n"},
        {"kind": "approve", "nonce": ""},
        {"kind": "approve", "nonce": "n", "more": 1},
        {"kind": "guess", "nonce": "n"},
        {"kind": "modify", "value": "\ud800", "nonce": "n"},
    ],
    ids=str,
)
def test_what_is_no_decision_is_refused_with_the_reason(
    server: Served, body: dict[str, Any]
) -> None:
    """Where it is wrong and why, and nothing is written."""
    item = ask()
    said = server.http.post(
        f"/api/escalations/{item}/respond",
        content=json.dumps(body),
        headers={"Content-Type": "application/json"},
    )
    assert said.status_code == 422
    problem = said.json()
    assert problem["_kind"] == "invalid"
    assert problem["detail"]["problems"]
    assert shown(item).state == "open"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"kind": "approve"}, "body.verdict.nonce: Field required"),
        ({"kind": "modify", "nonce": "n"}, "body.modify.value: Field required"),
        ({"kind": "aprove", "nonce": "n"}, "with a kind: approve, deny, modify, defer, cancel"),
        ("x", "Content-Type: application/json"),
    ],
    ids=str,
)
def test_what_is_wrong_is_told_of_that_kind_alone(server: Served, body: object, said: str) -> None:
    """And nothing of the other kinds."""
    item = ask()
    answered = server.http.post(f"/api/escalations/{item}/respond", json=body)
    [problem] = answered.json()["detail"]["problems"]
    assert said in f"{problem['where']}: {problem['message']}"


def test_an_unknown_one_is_not_found(server: Served) -> None:
    """Said as every problem is said."""
    said = server.respond("feedfeedfeedfeed")
    assert said.status_code == 404
    assert said.json().keys() == {"_kind", "retryable", "message", "detail"}
