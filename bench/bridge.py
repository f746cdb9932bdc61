"""A hook call against a bare interpreter, and against what one would write in shell."""

import json
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bench.environment import Workshop
from bench.figure import Figure
from bench.paired import Paired, paired

_PAYLOAD = json.dumps(
    {
        "session_id": "8d1c7a52-4f0e-4c39-9b53-0f3f6f6a8f10",
        "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": "/home/me/api/stripe.py", "content": "key = load()\n" * 130},
    }
).encode()

# One that a guard could want at each call, and that is not there anyway.
_MODULE = "pathlib"

# The same file name, the same line, and the same protection from other writers. Without the lock
# it would not do: jq writes a long line in pieces.
_WITH_JQ = r"""
name=$(printf %s "$GEMBA_SESSION_ID" | tr -c 'A-Za-z0-9._-' _)
id=$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
exec 9>>"$GEMBA_HOME/sessions/$name.jsonl"
flock 9
exec jq -c --arg hook "$1" --arg id "$id" '
    now as $now | ($now | floor) as $whole | ("000000\(($now - $whole) * 1e6 | floor)") as $rest |
    {ts: "\($whole | strftime("%Y-%m-%dT%H:%M:%S")).\($rest[-6:])Z",
     session_id: env.GEMBA_SESSION_ID, agent_type: env.GEMBA_AGENT_TYPE,
     hook: $hook, event_id: $id, payload: .}' >&9
"""


def measure(shop: Workshop) -> Iterator[Figure]:
    """`gemba-bridge PreToolUse` with 2 KiB of input."""
    with shop.home() as home:
        hook = partial(shop.run, home, session="tmux:%1", stdin=_PAYLOAD)
        bridge = partial(hook, "gemba-bridge", "PreToolUse")
        bare = partial(hook, "python", "-c", "import json, os, sys")
        found = paired(bridge, bare)
        yield Figure(
            name="gemba-bridge / python -c 'import json, os, sys'",
            value=found.ratio,
            at_most=1.25,
            note=found.note,
        )
        yield _guard(hook)
        name = "gemba-bridge / the same hook with sh and jq"
        missing = [tool for tool in ("jq", "flock", "od") if shutil.which(tool) is None]
        if missing:
            yield Figure(name=name, value=None, note=f"{' and '.join(missing)} not installed")
            return
        with_jq = partial(hook, "sh", "-c", _WITH_JQ, "hook", "PreToolUse")
        if _line_of(home, bridge) != _line_of(home, with_jq):
            raise AssertionError("the hook with sh and jq appends another line: no comparison")
        found = paired(bridge, with_jq)
        version = shop.run(home, "jq", "--version").decode().strip()
        yield Figure(name=name, value=found.ratio, at_most=1, note=f"{found.note} ({version})")


def _guard(hook: Callable[..., bytes]) -> Figure:
    """What the guard adds while there is no surface file: a hook that it looks at, and one not."""
    guarded = paired(
        partial(hook, "gemba-bridge", "PreToolUse"), partial(hook, "gemba-bridge", "SubagentStart")
    )
    imported = paired(
        partial(hook, "python", "-c", f"import json, os, sys, {_MODULE}"),
        partial(hook, "python", "-c", "import json, os, sys"),
    )
    return Figure(
        name=f"the guard without a surface file / import of one more module ({_MODULE})",
        value=_added(guarded) / _added(imported),
        at_most=1,
        note=f"{_added(guarded):.2f} ms against {_added(imported):.2f} ms",
    )


def _added(found: Paired) -> float:
    """Milliseconds that the first takes longer, by the pairs: a drift hits both of one."""
    return (found.ratio - 1) * found.second


def _line_of(home: Path, hook: Callable[[], object]) -> dict[str, object]:
    """The line that the hook appends, without the values that differ each time."""
    hook()
    (log,) = (home / "sessions").iterdir()
    line: dict[str, object] = json.loads(log.read_bytes().splitlines()[-1])
    return line | {name: len(str(line[name])) for name in ("ts", "event_id")}
