"""Text as a terminal lays it out."""

import pytest

from gemba_core.panes.cells import left_of, width


@pytest.mark.parametrize(
    ("text", "cells"), [("", 0), ("yes", 3), ("日本", 4), ("e\u0301", 1), ("a\u200db", 2)]
)
def test_width_counts_cells_and_not_characters(text: str, cells: int) -> None:
    """Wide characters take two cells, combining ones none."""
    assert width(text) == cells


@pytest.mark.parametrize(
    ("row", "column", "left"),
    [("> yes", 2, "> "), (">", 2, "> "), ("", 3, "   "), ("日本語", 4, "日本"), ("日本", 3, "日 ")],
)
def test_left_of_fills_exactly_the_column(row: str, column: int, left: str) -> None:
    """What stands left of a column takes as many cells as the column says."""
    assert left_of(row, column) == left
