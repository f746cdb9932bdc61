"""[[notify]] in config.toml: what is accepted, and every problem at once with its line."""

from datetime import datetime, time
from pathlib import Path

import pytest

from gemba_core.attention.quiet import Quiet
from gemba_core.attention.rule import load
from gemba_core.toml_file import TomlInvalid


def problems(path: Path, text: str) -> list[str]:
    """`line: what` of each problem that is found."""
    path.write_text(text)
    with pytest.raises(TomlInvalid) as caught:
        load(str(path))
    return [f"{one.line}: {one.what}" for one in caught.value.problems]


def test_without_a_file_or_a_table_there_is_no_rule(tmp_path: Path) -> None:
    """Other settings in the same file are none of its business."""
    path = tmp_path / "config.toml"
    assert load(str(path)) == ()
    path.write_text('agents_may_answer = ["question"]\n[ask]\nwait_timeout = "10m"\n')
    assert load(str(path)) == ()


def test_a_rule_has_its_values(tmp_path: Path) -> None:
    """Every key is taken; one word may stand for a list of one."""
    path = tmp_path / "config.toml"
    path.write_text(
        '[[notify]]\nname = "phone"\nurl = "env:PHONE"\nurgency = "blocking"\n'
        'role = ["manager"]\nsource = ["question", "blocker"]\nsession = "api-*"\nafter = "5m"\n'
        'repeat = "1h"\ntimes = 4\nat_most_every = 600\ndigest = "90s"\nquiet = "22:00-7:30"\n'
        'text = true\n[[notify]]\nname = "desk"\nurl = "dbus://"\n'
    )
    phone, desk = load(str(path))
    assert (phone.urgency, phone.role, phone.session) == (("blocking",), ("manager",), ("api-*",))
    assert (phone.after, phone.repeat, phone.most) == (300.0, 3600.0, 4)
    assert (phone.at_most_every, phone.digest) == (600.0, 90.0)
    assert phone.quiet == Quiet(time(22), time(7, 30))
    assert (desk.after, desk.repeat, desk.most, desk.quiet) == (0.0, None, 1, None)


def test_all_problems_are_told_at_once_with_their_lines(tmp_path: Path) -> None:
    """Whatever is wrong, in whichever of the rules."""
    text = (
        '[[notify]]\nname = "a"\nurl = "json://me:pass@host/"\nurgancy = "blocking"\n'
        'after = "soon"\nquiet = "22-7"\n\n[[notify]]\nname = "a"\nurgency = "high"\ntimes = 3\n'
    )
    found = problems(tmp_path / "config.toml", text)
    assert [line.partition(":")[0] for line in found] == ["3", "4", "5", "6", "8", "9", "10", "11"]
    assert "does not belong here" in found[0]
    assert "did you mean urgency?" in found[1]
    assert "no time such as" in found[2]
    assert "22:00-07:00" in found[3]
    assert "no address" in found[4]
    assert "a second notify" in found[5]
    assert "none of blocking, advisory" in found[6]
    assert "goes with repeat" in found[7]


def test_an_address_in_the_file_is_never_repeated(tmp_path: Path) -> None:
    """A person who wrote it there by mistake does not find it in a log as well."""
    [problem] = problems(
        tmp_path / "config.toml", '[[notify]]\nname = "a"\nurl = "json://me:pass@host/"\n'
    )
    assert "pass" not in problem.replace("passage", "")


@pytest.mark.parametrize(
    ("span", "clock", "holds"),
    [
        ((22, 7), "23:00", True),
        ((22, 7), "06:59", True),
        ((22, 7), "07:00", False),
        ((22, 7), "12:00", False),
        ((12, 13), "12:30", True),
        ((12, 13), "13:00", False),
        ((12, 13), "11:59", False),
    ],
)
def test_quiet_hours_may_go_over_midnight(span: tuple[int, int], clock: str, holds: bool) -> None:
    """Their end is outside."""
    quiet = Quiet(time(span[0]), time(span[1]))
    assert quiet.holds(datetime.fromisoformat(f"2030-01-02T{clock}")) is holds
