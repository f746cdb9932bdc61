"""The surface of a session: the folders that it may read and write, and what a call touches.

Imported by the bridge only where a surface file is there. Best effort, and no
sandbox: docs/guard.md says what it sees and what it cannot see.
"""

from gemba_core.surface.calls import touches_of_call
from gemba_core.surface.surface import Surface, SurfaceUnusable, load
from gemba_core.surface.touch import Touch

__all__ = ["Surface", "SurfaceUnusable", "Touch", "load", "touches_of_call"]
