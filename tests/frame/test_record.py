"""One line to one frame, one at a time or many at once."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gemba_core.frame.record import Frame, decode, decode_lines
from tests.strategies import LINES

HEAD = b'{"hook":"h","session_id":"s","event_id":"e"'
OBJECT = HEAD + b"}"


# Pieces that could make two lines out of one object, or one line out of two.
PIECES = st.sampled_from(
    [
        *(OBJECT, HEAD, b"}", b"{", b"\n", b" ", b"\t\r", b"[", b"]", b'"', b"\\", b"\xff", b"\0"),
        *(b',"payload":', b',"x":', b'"}\n{"', b"{}", b"}\n{", b"null", b"\xef\xbb\xbf"),
    ]
)


@given(st.lists(PIECES | LINES).map(b"".join))
@example(OBJECT + OBJECT + b"\n" + OBJECT)
@example(OBJECT + b"\n" + HEAD + b',"payload":{}\n}')
@example(OBJECT + HEAD + b',"payload":"x}\n{y"}')
@example(OBJECT + HEAD + b',"x":[{}\n{}]}')
@example(OBJECT + b"\n\n" + OBJECT)
@example(OBJECT + b"],[" + OBJECT)
@example(OBJECT + b"],[" + OBJECT + b"\n" + HEAD + b',"payload":"x\ny"}')
@example(OBJECT + b"],\n[" + OBJECT)
@example(b"\xef\xbb\xbf" + OBJECT)
def test_all_lines_at_once_agree_with_each_alone(data: bytes) -> None:
    """Whatever the bytes: all the frames, or None where any line is none."""
    alone = [decode(line) for line in data.split(b"\n")]
    together = decode_lines(data)
    if None in alone:
        assert together is None
    else:
        assert together is not None
        assert list(map(plain, together)) == [plain(frame) for frame in alone if frame]


def plain(frame: Frame) -> tuple[object, ...]:
    """The frame with the bytes of what it keeps raw."""
    return (
        *(frame.hook, frame.session_id, frame.event_id, frame.ts, frame.agent_type),
        *(bytes(frame.payload), frame.payload_raw, bytes(frame.processes), bytes(frame.reply_to)),
    )


@pytest.mark.parametrize("key", [b"hook", b"session_id", b"event_id"])
def test_a_line_without_its_identity_is_no_frame(key: bytes) -> None:
    """Hook, session and event id are what a frame cannot be without."""
    assert decode(OBJECT.replace(key, b"other")) is None
    assert decode(OBJECT) is not None


def test_unknown_keys_are_ignored() -> None:
    """A newer writer may say more."""
    frame = decode(HEAD + b',"new":{"deep":[1]}}')
    assert frame is not None
    assert (frame.hook, frame.session_id, frame.event_id) == ("h", "s", "e")


def test_a_payload_is_not_looked_into() -> None:
    """It is kept as it stands until somebody needs it."""
    frame = decode(HEAD + b',"payload": { "a" : 1 }}')
    assert frame is not None
    assert bytes(frame.payload).strip() == b'{ "a" : 1 }'
