"""Notifications for real: gemba notify and watch, against a webhook receiver on this machine."""

import os
import stat
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from gemba_core import home
from gemba_core.attention.ledger import Ledger
from tests.attention.receiver import SECRET, VARIABLE, Receiver, configure, receiving
from tests.commands import SCRIPTS, environment
from tests.inbox.scene import answer, ask, hook
from tests.operator.desk import gemba
from tests.waiting import wait_until


def run(receiver: Receiver, **more: str) -> CompletedProcess[str]:
    """`gemba notify run`, once."""
    return gemba("notify", "run", env={**receiver.env, **more})


def span(begins: timedelta, ends: timedelta) -> str:
    """Quiet hours around this moment."""
    now = datetime.now()
    return f'quiet = "{now + begins:%H:%M}-{now + ends:%H:%M}"'


def test_each_escalation_is_told_of_once_by_each_rule_that_chooses_it(receiver: Receiver) -> None:
    """By default an address learns the headline, not the whole text."""
    configure('urgency = "blocking"\nsession = "api-*"', "")
    blocker = ask("Need a key.\nIt is the one for Stripe.", "api-1", kind="blocker")
    assert "sent about" in run(receiver).stdout
    assert receiver.titles == ["Gemba, blocking: Need a key."] * 2
    assert blocker[:8] in receiver.messages[0]["message"]
    assert "Stripe" not in receiver.messages[0]["message"]
    ask("Which colour?")
    run(receiver)
    assert run(receiver).stdout == "Nothing is due.\n"
    assert receiver.titles[2:] == ["Gemba, advisory: Which colour?"]


def test_what_is_due_together_comes_in_one_message(receiver: Receiver) -> None:
    """Each of them by its id."""
    configure("")
    items = [ask(f"question {number}", f"s{number}") for number in range(3)]
    run(receiver)
    [message] = receiver.messages
    assert message["title"] == "Gemba: 3 open"
    assert all(item[:8] in message["message"] for item in items)


def test_nothing_is_doubled_by_a_restart_or_a_new_index(receiver: Receiver) -> None:
    """What was sent is remembered outside the index."""
    configure("")
    ask()
    run(receiver)
    for path in Path(home.home()).glob("index.db*"):
        path.unlink()
    assert run(receiver).stdout == "Nothing is due.\n"
    assert len(receiver.messages) == 1


def test_a_rule_waits_its_time(receiver: Receiver) -> None:
    """Nothing before it, and once it has come."""
    configure('after = "1h"')
    ask()
    run(receiver)
    assert receiver.messages == []
    configure('after = "0.1s"')
    wait_until(lambda: "sent" in run(receiver).stdout, what="the time to come")
    assert len(receiver.messages) == 1


def test_reminders_stop_at_the_answer_and_at_the_cap(receiver: Receiver) -> None:
    """Three times at most, and never about what is settled."""
    configure('repeat = "0.1s"\ntimes = 3')
    first = ask("first")
    for count in (1, 2, 3):
        wait_until(lambda: "sent" in run(receiver).stdout, what=f"message {count}")
    second = ask("second")
    run(receiver)
    answer(second)
    hook("GembaState", state="working")
    assert run(receiver).stdout == "Nothing is due.\n"
    assert sum(first[:8] in message["message"] for message in receiver.messages) == 3
    assert sum(second[:8] in message["message"] for message in receiver.messages) == 1


def test_quiet_hours_hold_back_and_give_all_at_their_end(receiver: Receiver) -> None:
    """In one message."""
    configure(span(timedelta(hours=-1), timedelta(hours=1)))
    ask("one", "s1")
    ask("two", "s2")
    assert run(receiver).stdout == "Nothing is due.\n"
    configure(span(timedelta(hours=2), timedelta(hours=3)))
    run(receiver)
    assert receiver.titles == ["Gemba: 2 open"]


def test_a_digest_gathers(receiver: Receiver) -> None:
    """Nothing at once, then all of it."""
    configure('digest = "1h"')
    ask("one", "s1")
    ask("two", "s2")
    assert run(receiver).stdout == "Nothing is due.\n"
    configure('digest = "0.1s"')
    wait_until(lambda: "sent" in run(receiver).stdout, what="the digest")
    assert receiver.titles == ["Gemba: 2 open"]


def test_at_most_every_holds_the_next_message_back(receiver: Receiver) -> None:
    """Of whatever escalation."""
    configure('at_most_every = "1h"')
    ask("one")
    run(receiver)
    ask("two", "s2")
    assert run(receiver).stdout == "Nothing is due.\n"
    assert len(receiver.messages) == 1


def test_a_claimed_one_calls_for_nobody(receiver: Receiver) -> None:
    """Somebody looks after it; when they let go, it does."""
    configure("")
    item = ask()
    assert gemba("escalations", "claim", item).returncode == 0
    assert run(receiver).stdout == "Nothing is due.\n"
    assert gemba("escalations", "release", item).returncode == 0
    run(receiver)
    assert len(receiver.messages) == 1


def test_what_a_receiver_refused_is_sent_when_it_is_back(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, and the failure is said without the address."""
    configure("")
    ask()
    receiver.answers = 500
    failed = run(receiver)
    assert failed.returncode == 1
    assert "not sent" in failed.stdout
    assert SECRET not in failed.stdout + failed.stderr
    # At once it is not tried again; the time of the next try is brought nearer by hand.
    assert run(receiver).stdout == "Nothing is due.\n"
    receiver.answers = 200
    _let_a_minute_pass()
    assert run(receiver).returncode == 0
    assert (receiver.refused, len(receiver.messages)) == (1, 1)
    assert run(receiver).stdout == "Nothing is due.\n"


def test_a_receiver_that_is_down_is_no_loss() -> None:
    """Nobody listens at its port; later somebody does."""
    configure("")
    item = ask()
    with receiving() as gone:
        pass
    failed = run(gone)
    assert failed.returncode == 1
    assert SECRET not in failed.stdout + failed.stderr
    with receiving(gone.port) as back:
        _let_a_minute_pass()
        assert run(back).returncode == 0
        assert item[:8] in back.messages[0]["message"]


def test_a_sender_that_is_killed_in_the_middle_does_not_send_twice(receiver: Receiver) -> None:
    """It may have been sent; the list says that nobody knows."""
    configure("")
    ask()
    receiver.open.clear()
    command = [str(SCRIPTS / "gemba"), "notify", "run"]
    with subprocess.Popen(command, env=environment(receiver.env)) as sending:
        try:
            wait_until(lambda: receiver.messages, what="the message", timeout=30)
        finally:
            sending.kill()
    receiver.open.set()
    assert run(receiver).stdout == "Nothing is due.\n"
    assert len(receiver.messages) == 1
    assert "1 uncertain" in gemba("notify", "list").stdout


def test_several_watches_send_one_message(receiver: Receiver) -> None:
    """And nobody's inbox waits for the service."""
    configure("")
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(_watching(receiver.env))
        item = ask()
        wait_until(lambda: receiver.messages, what="the message", timeout=30)
        second = ask("second", "s2")
        wait_until(lambda: len(receiver.messages) > 1, what="the second", timeout=30)
    assert len(receiver.messages) == 2
    assert item[:8] in receiver.messages[0]["message"]
    assert second[:8] in receiver.messages[1]["message"]


def test_a_watch_takes_up_a_changed_configuration(receiver: Receiver) -> None:
    """Without a restart."""
    ask()
    with _watching(receiver.env):
        configure("")
        wait_until(lambda: receiver.messages, what="the message", timeout=30)


def test_the_test_message_reaches_every_rule_or_the_named_one(receiver: Receiver) -> None:
    """It is recorded nowhere, and no hour is too quiet for it."""
    configure(span(timedelta(hours=-1), timedelta(hours=1)), "")
    assert gemba("notify", "test", env=receiver.env).returncode == 0
    assert gemba("notify", "test", "--rule", "rule2", env=receiver.env).returncode == 0
    assert receiver.titles == ["Gemba: a test"] * 3
    assert not os.path.exists(home.notified_path())
    assert gemba("notify", "test", "--rule", "none", env=receiver.env).returncode == 2


def test_without_its_variable_a_rule_says_so_and_leaves_it_to_others(receiver: Receiver) -> None:
    """Another process may have the address."""
    configure("")
    ask()
    done = gemba("notify", "run")
    assert done.returncode == 1
    assert f"{VARIABLE} is not set" in done.stderr
    assert done.stdout == ""
    run(receiver)
    assert len(receiver.messages) == 1


def _address_file(text: str, mode: int) -> Path:
    configure("")
    config = Path(home.config_path())
    config.write_text(
        config.read_text().replace(f'url = "env:{VARIABLE}"', 'url_file = "hook.url"')
    )
    path = Path(home.home(), "hook.url")
    path.write_text(text)
    path.chmod(mode)
    return path


def test_an_address_may_stand_in_a_file_of_ones_own(receiver: Receiver) -> None:
    """Below GEMBA_HOME unless its path says otherwise; # begins a comment."""
    _address_file(f"# my phone\n{receiver.address}\n", 0o600)
    assert gemba("notify", "test").returncode == 0
    assert len(receiver.messages) == 1


@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        ("json://h/s3cr3t-token-in-the-path", 0o640, "chmod 600"),
        ("# nothing\n", 0o600, "no address in it"),
        ("json://a/s3cr3t-token-in-the-path\njson://b\n", 0o600, "more than one"),
        ("nonsense://s3cr3t-token-in-the-path", 0o600, "cannot use"),
        ("s3cr3t-token-in-the-path", 0o600, "cannot use"),
    ],
)
def test_an_address_that_cannot_be_used_is_never_shown(text: str, mode: int, said: str) -> None:
    """What is wrong is said all the same."""
    _address_file(text, mode)
    done = gemba("notify", "test")
    assert done.returncode == 1
    assert said in done.stdout
    assert SECRET not in done.stdout + done.stderr


def test_a_wrong_configuration_is_told_with_its_lines(receiver: Receiver) -> None:
    """And nothing is sent."""
    configure('urgancy = "blocking"')
    done = run(receiver)
    assert done.returncode == 1
    assert "config.toml:4: unknown key: urgancy (did you mean urgency?)" in done.stderr
    assert receiver.messages == []


def test_the_whole_text_goes_out_only_where_the_rule_says_so(receiver: Receiver) -> None:
    """Without what would paint on a terminal, and not endlessly."""
    configure("text = true")
    ask("First line.\nSecond \x1b[31mline.\n" + "x" * 5_000)
    run(receiver)
    body = receiver.messages[0]["message"]
    assert "Second [31mline." in body
    assert len(body) < 1_500


def test_the_record_is_for_its_owner_alone(receiver: Receiver) -> None:
    """And holds no address."""
    configure("")
    ask()
    run(receiver)
    path = Path(home.notified_path())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert SECRET not in path.read_text()


@contextmanager
def _watching(env: Mapping[str, str]) -> Iterator[None]:
    command = [str(SCRIPTS / "gemba"), "escalations", "watch", "--json"]
    with subprocess.Popen(command, env=environment(env), stdout=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.kill()


def _let_a_minute_pass() -> None:
    """Make what the record says a minute older."""
    path = Path(home.notified_path())
    assert Ledger(str(path)).sent().failures("rule1")[0] == 1
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines):
        before, key, rest = line.partition('"at":')
        moment = rest.split(",")[0].rstrip("}")
        lines[number] = before + key + str(int(moment) - 60_000_000) + rest[len(moment) :]
    path.write_text("\n".join(lines) + "\n")


def test_doctor_tells_which_rules_can_be_used(receiver: Receiver) -> None:
    """Without a rule it says nothing of them."""
    assert "notifications" not in gemba("doctor").stdout
    configure("")
    assert "HOOK_ADDRESS is not set" in gemba("doctor").stdout
    assert "1 rule" in gemba("doctor", env=receiver.env).stdout
