"""The fold: (session state, frame) to (session state, changes). No clock, no file, no database.

`translate` gives each frame to the room that knows it; `fold` runs it over a
batch. The store applies the changes and decides nothing.
"""

from gemba_core.translator.change import Change
from gemba_core.translator.fold import fold
from gemba_core.translator.state import SessionState
from gemba_core.translator.translate import translate

__all__ = ["Change", "SessionState", "fold", "translate"]
