"""A session's id to its file's name."""

import os
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gemba_core import home
from gemba_core.home import safe_id
from gemba_core.log import record
from gemba_core.tail import Position, open_log, read


@pytest.mark.parametrize(
    ("session_id", "name"),
    [
        ("tmux:%42", "tmux__42"),
        ("Plain-id_1.0", "Plain-id_1.0"),
        ("../../etc/passwd", ".._.._etc_passwd"),
        ("a\nb\0c d", "a_b_c_d"),
        ("é", "__"),
        ("..", ".."),
        ("", ""),
        ("x" * 180, "x" * 180),
        (
            "x" * 181,
            # The first 16 digits of what `printf x%.0s {1..181} | sha256sum` prints.
            "x" * 180 + "-dc31ed5afb940294",
        ),
    ],
    ids=lambda text: text[:20],
)
def test_the_wire_examples(session_id: str, name: str) -> None:
    """Each byte outside [A-Za-z0-9._-] becomes an underscore; the rest is kept."""
    assert safe_id(session_id) == name


@given(st.text())
@example("/" * 5000)
@example("\n" * 5000)
@example("é" * 5000)
@example("\udcff")
def test_every_id_makes_one_file_in_the_sessions_folder(session_id: str) -> None:
    """No slash, no newline, no way out of the folder, and no name that is too long."""
    path = home.log_path(session_id)
    assert os.path.dirname(os.path.normpath(path)) == home.sessions_dir()
    assert re.fullmatch(r"[A-Za-z0-9._-]*\.jsonl", os.path.basename(path))
    assert len(os.path.basename(path)) <= 255


def test_long_ids_with_the_same_beginning_have_files_of_their_own() -> None:
    """The digest of the whole id tells them apart."""
    assert safe_id("x" * 5000) != safe_id("x" * 4999)


@pytest.mark.parametrize("session_id", ["a/../b", "line\nbreak", "." * 3, "x" * 5000, "é" * 100])
def test_a_frame_carries_the_id_as_it_was_given(session_id: str) -> None:
    """The file's name is made safe, the id is not changed."""
    record(session_id, "Stop", {})
    fd = open_log(home.log_path(session_id))
    assert fd is not None
    try:
        frames = [frame for batch in read(fd, Position()) for frame in batch.frames]
    finally:
        os.close(fd)
    assert [frame.session_id for frame in frames] == [session_id]
