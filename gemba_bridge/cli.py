"""`gemba-bridge [HOOK]`: standard input to one frame in the session's log.

Runs at every tool call of every agent: standard library only, and little of it.
Always exit 0; the reason of a failure on standard error. Standard output is for
the agent: empty, unless an operator's answer is due to it.
"""

import json
import os
import sys

from gemba_core import caller, home
from gemba_core.errors import GembaError
from gemba_core.frame.line import MAX_INPUT, encode, members_of_input, new_event_id, now
from gemba_core.log import append_hook

_ANSWERABLE = ("PostToolUse", "Stop")
# The tool of Claude Code that asks the person; no other client lets a hook answer.
_QUESTIONS = b'"AskUserQuestion"'
_BEFORE_TOOL = ("PreToolUse", "BeforeTool")
_PROMPTS = ("UserPromptSubmit", "BeforeAgent")
# With these nothing leads any more what went on before; an interrupt may end a turn without a hook.
_TURN_ENDS = (
    *("Stop", "StopFailure", "AfterAgent", "Interrupt", "SessionStart", "SessionEnd"),
    *_PROMPTS,
)
# What a sub-agent's last message holds, if it hands its work back by a contract.
_CONTRACT = (b"agent_contract_handoff", b"agent_status")
# The tools with which an agent writes down its plan.
_PLANS = (b'"ExitPlanMode"', b'"TodoWrite"', b'"update_plan"')

_HELP = """\
Usage: gemba-bridge [HOOK] < INPUT

Append what an agent's hook says (standard input) to the session's log.

HOOK is the hook's name, for example PreToolUse; GEMBA_HOOK_EVENT goes before
it, and without both the input's own hook_event_name counts. The session is
GEMBA_SESSION_ID, else the tmux pane. Always exit 0, so that no agent breaks;
the reason of a failure stands on standard error.

Example:
  echo '{"tool_name": "Bash"}' | GEMBA_SESSION_ID=demo gemba-bridge PreToolUse
"""


def console() -> None:
    """The console script: `main`, and out.

    Without the interpreter's tidying up, which is an eighth of what a hook call
    takes. Nothing is lost by it: whatever is written is written at once.
    """
    os._exit(main())


def main() -> int:
    """Record one hook call; 0 whatever happens."""
    if sys.argv[1:] in (["--help"], ["-h"]):
        print(_HELP, end="", flush=True)
        return 0
    try:
        _record(sys.argv[1] if len(sys.argv) > 1 else None)
    except GembaError as error:
        _say(str(error))
    except BaseException as error:  # whatever it is, an agent must not break
        _say(f"{type(error).__name__}: {error}; the hook call was not recorded")
    return 0


def _record(argument: str | None) -> None:
    session_id, event_id = caller.required_session_id(), new_event_id()
    agent_type = caller.agent_type(default="")
    data, cut = _input()
    hook = caller.hook_event() or argument or _own_name(data) or "unknown"
    members = members_of_input(data, cut)
    if hook == "SessionStart":
        members += _whereabouts()
    line = encode(
        hook,
        members,
        session_id=session_id,
        agent_type=agent_type,
        event_id=event_id,
        ts=now(),
    )
    if hook == "PermissionRequest":
        # Imported here: only a hook that may wait for the operator pays for it.
        from gemba_bridge.permission import Request, record_and_wait

        record_and_wait(Request(session_id, event_id, line, data), agent_type)
        return
    try:
        append_hook(home.log_path(session_id), line)
    finally:
        # A log that cannot be written opens no way out of the session's folders.
        if hook in _BEFORE_TOOL:
            _before_tool(session_id, hook, agent_type, data)
    if hook in _TURN_ENDS and os.path.exists(home.leads_dir(session_id)):
        # Imported here: only a turn that a skill led pays for it.
        from gemba_bridge.lead import end_turn

        end_turn(session_id, hook, data)
    if hook == "SubagentStop" and any(word in data for word in _CONTRACT):
        # Imported here: only a sub-agent that hands its work back pays for it.
        from gemba_bridge.handoff import check_contract

        check_contract(session_id, agent_type, data, _say)
    if hook in _PROMPTS and b"$" in data:
        # Imported here: only a prompt that may mention a skill pays for it.
        from gemba_bridge.skills import lead_by_prompt

        lead_by_prompt(session_id, hook, agent_type, data)
    if hook in _ANSWERABLE and os.path.exists(home.offer_path(session_id)):
        # Imported here: only a hook for which an answer is laid out pays for it.
        from gemba_bridge.answer import hand_over

        hand_over(session_id, hook, data)


def _before_tool(session_id: str, hook: str, agent_type: str, data: bytes) -> None:
    # lexists: a link that leads nowhere is a surface that cannot be read.
    if os.path.lexists(home.surface_path(session_id)):
        # Imported here: only a session with a surface pays for the guard.
        from gemba_bridge.guard import is_refused

        if is_refused(session_id, hook, agent_type, data):
            return
    if os.path.exists(home.leads_dir(session_id)):
        # Imported here: only a turn that a skill leads pays for it.
        from gemba_bridge.lead import is_refused as is_beyond_skill

        if is_beyond_skill(session_id, hook, agent_type, data):
            return
    if hook == "PreToolUse" and b"$" in data and any(tool in data for tool in _PLANS):
        # Imported here: only a plan that may mention a skill pays for it.
        from gemba_bridge.skills import lead_by_plan

        lead_by_plan(session_id, hook, agent_type, data)
    if hook == "PreToolUse" and _QUESTIONS in data:
        # Imported here: only a call that may be a question to the person pays for it.
        from gemba_bridge.questions import answer_in_inbox

        answer_in_inbox(session_id, agent_type, data)


def _input() -> tuple[bytes, tuple[int, str] | None]:
    """Standard input up to MAX_INPUT; if it is longer, also its length and SHA-256."""
    parts, length = [], 0
    while length <= MAX_INPUT and (part := os.read(0, 1 << 20)):
        parts.append(part)
        length += len(part)
    data = b"".join(parts)
    if length <= MAX_INPUT:
        return data, None
    # Imported here: only an input that is cut pays for it.
    import hashlib

    digest = hashlib.sha256(data)
    while part := os.read(0, 1 << 20):
        digest.update(part)
        length += len(part)
    return data[:MAX_INPUT], (length, digest.hexdigest())


def _own_name(data: bytes) -> str | None:
    try:
        name = json.loads(data)["hook_event_name"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return name if isinstance(name, str) and name else None


def _whereabouts() -> bytes:
    """The caller's processes and pane: what tells a child agent from a new one."""
    # Imported here: only the start of a session pays for it.
    from gemba_core.processes import caller_ancestry

    members = b',"processes":' + json.dumps(caller_ancestry()).encode()
    address = caller.tmux_return_address()
    if address is not None:
        members += b',"reply_to":' + json.dumps(address).encode()
    return members


def _say(reason: str) -> None:
    # Not print: with standard error closed, it would fall back on standard output.
    try:
        os.write(2, f"gemba-bridge: {reason}\n".encode("utf-8", "replace"))
    except OSError:
        pass  # nobody listens
