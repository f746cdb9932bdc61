"""One frame to one line: whatever bytes came in, the line is a frame for every reader."""

import hashlib
import json

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gemba_core import home
from gemba_core.frame import record
from gemba_core.frame.line import (
    MAX_DEPTH,
    MAX_INPUT,
    encode,
    members_of,
    members_of_input,
    new_event_id,
    timestamp,
)
from tests.builders import id_of
from tests.commands import run_cli
from tests.strategies import CARELESS_JSON, JSON


def line_of(members: bytes) -> bytes:
    """A whole line with these payload members."""
    return encode("Any", members, session_id="s", agent_type="", event_id=id_of(1), ts="")


def refuse(literal: str) -> float:
    """A strict reader's answer to NaN and Infinity."""
    raise ValueError(literal)


def strict(line: bytes) -> dict[str, object]:
    """The line as each of three strict readers sees it."""
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert b"\r" not in line
    assert record.decode(line[:-1]) is not None
    decoded: dict[str, object] = msgspec.json.decode(line, type=dict)
    assert isinstance(json.loads(line, parse_constant=refuse), dict)
    return decoded


def original(line: bytes) -> bytes:
    """The input, out of the payload_raw of its line."""
    decoded = strict(line)
    raw = decoded["payload_raw"]
    assert isinstance(raw, str)
    return raw.encode(str(decoded.get("payload_raw_encoding", "utf-8")))


def is_kept_as_raw(data: bytes) -> bool:
    """Whether the input went into payload_raw, whole; else it is the payload."""
    line = line_of(members_of_input(data))
    if b'"payload_raw"' in line and "payload_raw" in strict(line):
        assert original(line) == data
        return True
    assert "payload" in strict(line)
    return False


def nested(depth: int) -> bytes:
    """An object so deep."""
    return b'{"a":' * (depth - 1) + b"{}" + b"}" * (depth - 1)


@given(st.binary() | CARELESS_JSON | st.text().map(lambda text: text.encode("utf-8", "replace")))
@example(b"")
@example(b"\xef\xbb\xbf{}")
@example(b'{"a":"b\nc"}')
@example(b'{"a":1,\r\n"b":[\n]}\n')
@example(b'{"a":0e99999,"b":-0.0,"c":1E400}')
@example(b'{"a":' + b"1" * 5000 + b"}")
def test_any_input_becomes_one_line_for_every_reader(data: bytes) -> None:
    """Whatever the bytes, the line decodes strictly, and nothing of them is dropped."""
    is_kept_as_raw(data)


@given(st.dictionaries(st.text(), JSON))
def test_own_payloads_are_frames_whatever_they_hold(payload: dict[str, object]) -> None:
    """NaN and Infinity are refused before a line is made; a lone surrogate becomes a mark."""
    try:
        members = members_of(payload)
    except ValueError:
        return
    assert strict(line_of(members))["payload"] is not None


@pytest.mark.parametrize(
    "data",
    [
        b'{"b": 1,  "a":[1.50, "\\u00e9"]}',
        '{"é": "„quoted“ \U0001f600"}'.encode(),
        b'{"a":1,"a":2}',
        b'{"a":"\\ud83d\\ude00"}',
        b'{"a":12345678901234567890123}',
    ],
)
def test_an_object_keeps_its_own_bytes(data: bytes) -> None:
    """Key order, spaces, number forms, escapes and repeated keys stay as they were."""
    assert members_of_input(b" \n" + data + b"\n") == b'"payload":' + data


def test_line_breaks_between_tokens_become_spaces() -> None:
    """Nothing else of a pretty-printed object changes."""
    assert members_of_input(b'{\r\n "a":\n"\\n"}') == b'"payload":{   "a": "\\n"}'


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"null",
        b"[1]",
        b'"text"',
        b"{",
        b"{}{}",
        b"\xef\xbb\xbf{}",
        b'{"a":NaN}',
        b'{"a":-Infinity}',
        b'{"a":1e999}',
        b'{"a":"\\ud800"}',
        b'{"\\udc00":1}',
        b'{"a":"\xff"}',
        b'{"a":"\x01"}',
        b'{"a":' + b"9" * 5000 + b"}",
        nested(MAX_DEPTH + 1),
        nested(100_000),
        nested(992).replace(b"{}", b'{"a":"\\u0041"}'),
    ],
    ids=lambda data: repr(data[:16]),
)
def test_anything_else_is_kept_whole_as_a_string(data: bytes) -> None:
    """Not UTF-8, no object, too deep, or with what JSON does not know."""
    assert is_kept_as_raw(data)


def test_200_levels_are_a_payload() -> None:
    """The deepest object that is kept as it is."""
    assert not is_kept_as_raw(nested(MAX_DEPTH))


def test_many_brackets_side_by_side_are_not_deep() -> None:
    """Only nesting counts."""
    assert not is_kept_as_raw(b'{"a":[' + b",".join([b"[]"] * 1000) + b"]}")


@pytest.mark.parametrize("hidden", [b'"\\ud800"', nested(MAX_DEPTH)])
def test_a_repeated_key_hides_nothing(hidden: bytes) -> None:
    """What a dict would forget stands in the bytes all the same."""
    assert is_kept_as_raw(b'{"a":' + hidden + b',"a":1}')


def test_bytes_that_are_not_utf8_say_how_they_are_kept() -> None:
    """Latin-1 maps each byte to one character and back."""
    line = strict(line_of(members_of_input(bytes(range(256)))))
    assert line["payload_raw_encoding"] == "latin-1"
    assert original(line_of(members_of_input(bytes(range(256))))) == bytes(range(256))


@pytest.mark.parametrize("extra", [0, 1, 3_000_000])
def test_input_over_a_mebibyte_is_kept_cut(extra: int, isolated_environment: None) -> None:
    """With its full length and SHA-256; at the limit it is kept whole."""
    data = b'{"a":"' + b"x" * (MAX_INPUT + extra - 8) + b'"}'
    done = run_cli("gemba-bridge", "PreToolUse", input=data, env={"GEMBA_SESSION_ID": "s"})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    line = strict(log_of("s"))
    if not extra:
        assert "payload_cut" not in line
        assert line["payload"] == json.loads(data)
        return
    assert line["payload_raw"] == data[:MAX_INPUT].decode()
    assert line["payload_cut"] is True
    assert line["payload_length"] == len(data)
    assert line["payload_sha256"] == hashlib.sha256(data).hexdigest()


def log_of(session: str) -> bytes:
    """The bytes of that session's log."""
    with open(home.log_path(session), "rb") as file:
        return file.read()


def test_the_keys_stand_in_the_wire_order() -> None:
    """ts, session_id, agent_type, hook, event_id, payload."""
    line = encode(
        "Stop", members_of({}), session_id="s", agent_type="codex", event_id=id_of(1), ts="t"
    )
    assert list(json.loads(line)) == [
        *("ts", "session_id", "agent_type", "hook", "event_id", "payload")
    ]


def test_undecodable_ids_and_names_make_a_frame_too() -> None:
    """A session id or a hook's name with a lone surrogate."""
    line = encode(
        "Sto\udcff", members_of({}), session_id="\udc80", agent_type="", event_id=id_of(1), ts=""
    )
    assert strict(line)["session_id"] == "?"


def test_event_ids_are_16_lower_case_hex_digits_and_differ() -> None:
    """Random, so that no two events have the same."""
    ids = {new_event_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(len(id) == 16 and set(id) <= set("0123456789abcdef") for id in ids)


@given(st.integers(0, 4_102_444_799_999_999))
def test_time_stamps_are_read_as_they_were_written(microseconds: int) -> None:
    """Every microsecond until the year 2100."""
    assert record.microseconds(timestamp(microseconds * 1000)) == microseconds


@pytest.mark.parametrize("ts", ["", "yesterday", "2030-01-02T03:04:05", "9999-99-99T00:00:00Z"])
def test_an_unreadable_time_stamp_is_null(ts: str) -> None:
    """It is informative: nothing else depends on it."""
    assert record.microseconds(ts) is None
