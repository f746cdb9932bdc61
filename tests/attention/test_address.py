"""A secret address: no piece of it is ever shown."""

from gemba_core.attention.address import redacted

SECRET = "json://user:p%40ssword-1@chat.example/T0KEN-abc?key=value123"


def test_the_whole_and_every_telling_piece_are_taken_out() -> None:
    """As it was written, and as a library has decoded it."""
    said = f"cannot reach {SECRET}: /T0KEN-abc at chat.example refused p@ssword-1 (value123)"
    shown = redacted(said, SECRET)
    assert shown.startswith("cannot reach …: /… at … refused")
    for piece in ("T0KEN", "ssword", "value123", "chat.example"):
        assert piece not in shown


def test_what_says_nothing_of_it_stays() -> None:
    """An error code helps; so does the service's name. One line at most."""
    shown = redacted("json: 404\nnot found \x1b[31m", SECRET)
    assert shown == "json: 404"
