"""Generated settings files: what people might have, and how it might be laid out."""

import json
from typing import Any

from hypothesis import strategies as st

from gemba_core.install.claude import CLAUDE
from gemba_core.install.codex import CODEX
from gemba_core.install.gemini import GEMINI

CLIENTS = (CLAUDE, CODEX, GEMINI)

_names = st.text(st.characters(codec="utf-8"), max_size=8)
_scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
_values = st.recursive(
    _scalars | _names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_names, inner, max_size=3),
    max_leaves=6,
)
_events = st.sampled_from(sorted({event for client in CLIENTS for event in client.events}))
# What other people's hooks may be; EVENT is the event that they stand under.
COMMANDS = ("lint", "'", "my-gemba-bridge EVENT", "/x/gemba-bridge --mine EVENT", "echo EVENT")
_entries = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.sampled_from(COMMANDS)},
    optional={"timeout": st.integers(1, 60), "extra": _values},
)
# With an entry that only a matcher tells from ours.
_narrow = st.builds(
    lambda entry: {"matcher": "Bash", "hooks": [{**entry, "command": "gemba-bridge EVENT"}]},
    _entries,
)
_groups = (
    st.fixed_dictionaries(
        {"hooks": st.lists(_entries, max_size=2)},
        optional={"matcher": st.sampled_from(["", "*", "Bash"])},
    )
    | _narrow
    | _values
)
_hooks = st.dictionaries(_events, st.lists(_groups, max_size=3), max_size=4).map(
    lambda hooks: {
        event: json.loads(json.dumps(groups).replace("EVENT", event))
        for event, groups in hooks.items()
    }
)


@st.composite
def settings(draw: st.DrawFn) -> dict[str, Any]:
    """The content of a settings file of any client."""
    found = draw(st.dictionaries(_names, _values, max_size=3))
    for reserved in ("hooks", "sandbox"):
        found.pop(reserved, None)
    parts: list[tuple[str, Any]] = list(found.items())
    if draw(st.booleans()):
        parts.append(("hooks", draw(_hooks)))
    if draw(st.booleans()):
        listed = draw(st.lists(_names, max_size=2))
        table = {"filesystem": {"allowWrite": listed}} if draw(st.booleans()) else {}
        parts.append(("sandbox", {"enabled": True, **table}))
    return dict(draw(st.permutations(parts)))


@st.composite
def laid_out(draw: st.DrawFn, content: Any) -> str:
    """The same content as some program or person would have written it."""
    indent = draw(st.sampled_from([None, 2, 4, "\t"]))
    tight = draw(st.booleans()) and indent is None
    text = json.dumps(
        content,
        indent=indent,
        ensure_ascii=draw(st.booleans()),
        separators=(",", ":") if tight else None,
    )
    text += draw(st.sampled_from(["", "\n", "\n\n"]))
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


toml_configs = st.sampled_from(
    [
        "",
        'model = "x" # why\n',
        "[sandbox_workspace_write]\nnetwork_access = true\n\n[tui]\na = 1\n",
        "[sandbox_workspace_write]\nwritable_roots = [] # none\n",
        '# c\n[sandbox_workspace_write] # t\nwritable_roots = [\n  "/a", # A\n  "/b"\n]\n[z]\n',
        'sandbox_workspace_write = { writable_roots = ["/a"] }\n[hooks.state."a:b"]\nx = "y"\n',
        'sandbox_workspace_write.network_access = true\nx = 1\n[[hooks.Stop]]\nmatcher = "x"\n',
        "[a]\r\nb = 1 # c\r\n",
        '[a]\nb = """\n[sandbox_workspace_write]\n"""',
    ]
)
