"""A sub-agent's contract, checked where it returns, and the findings recorded.

Only where the operator has switched it on. It is never in the way: within a few
seconds it is done or given up, and nothing is printed. Imported only for a
sub-agent whose last message may hold a contract.
"""

import json
import signal
from collections.abc import Callable
from dataclasses import asdict

from gemba_core import home
from gemba_core.log import append_hook, frame_line
from gemba_core.settings import checks_handoffs

HOOK = "GembaHandoff"
_SECONDS = 5.0
# Findings in one record; the blocking ones come first.
_MOST = 50


def check_contract(
    session_id: str, agent_type: str, data: bytes, say: Callable[[str], None]
) -> None:
    """Record what is to be said of the contract in that hook's last message. Never raises."""
    is_on, problem = checks_handoffs(home.config_path())
    if problem:
        say(problem)
    if not is_on:
        return
    signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    try:
        payload = _found(data)
        if payload is not None:
            line = frame_line(session_id, HOOK, payload, agent_type=agent_type)
            append_hook(home.log_path(session_id), line)
    except Exception as error:  # whatever it is, the hook itself is recorded and goes on
        say(f"the sub-agent's contract was not checked ({type(error).__name__}: {error})")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _found(data: bytes) -> dict[str, object] | None:
    """What is recorded; nothing where the message holds no contract."""
    # Imported here: only where it is switched on.
    from gemba_core.handoff import Context, Contract, Missing, parse, validate

    call = json.loads(data)
    returned = parse(str(call.get("last_assistant_message") or ""))
    if isinstance(returned, Missing):
        return None
    sub_agent = call.get("agent_id")
    findings = validate(returned, Context(sub_agent if isinstance(sub_agent, str) else None))
    contract = returned if isinstance(returned, Contract) else None
    return {
        "agent_id": contract.agent_id if contract else sub_agent,
        "plan_status": contract.status if contract else None,
        "findings": [asdict(one) for one in findings[:_MOST]],
    }


def _give_up(*_: object) -> None:
    raise TimeoutError(f"it took longer than {_SECONDS:g} s")
