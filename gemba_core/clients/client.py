"""What Gemba needs to know of a client's hooks."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Answer = dict[str, Any]


class Decision(NamedTuple):
    """What the operator decided about a permission: `kind` is approve, deny or modify.

    `value` is the note of a deny, or the edited command of a modify; `always`
    asks for the client's own suggestion of a lasting rule.
    """

    kind: str
    value: str | None
    always: bool
    request: dict[str, Any]


class Tool(NamedTuple):
    """Which keys of a tool's input name what it touches; the rest of the input is no path.

    reads, writes  keys of paths
    searches       keys of the folders that it looks through; without them, the current one
    patterns       keys of the patterns that it looks for there
    runs           whether it runs a shell command
    patches        whether it applies a patch
    """

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    searches: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    runs: bool = False
    patches: bool = False


class Dialog(NamedTuple):
    """A client's own dialog about one shell command, as its terminal shows it.

    The cursor is hidden while it is up.

    tool       the tool that it is about
    marker     the row that tells what is asked
    command    what stands before the command on its row
    pointer    what stands before the option that Enter would take
    option     the row of the option that allows this one call and nothing more
    key        the key that takes that option at once
    no_denial  why no key of its own is a plain no
    """

    tool: str
    marker: str
    command: str
    pointer: str
    option: str
    key: str
    no_denial: str


class Client(NamedTuple):
    """One client's hooks, as far as they answer.

    name                 the agent type
    takes_answers        hooks at which it takes an operator's answer to the agent
    longest_answer       characters that it takes there
    hand_over            (hook, text) to what is printed there
    permission_patience  seconds that its permission hook may wait by default; 0: never
    own_dialogs          tools whose dialogs a permission hook must leave alone
    edits_commands_of    tools with which a permission can be given for another command
    lasting_rules        whether a permission can come with a rule of its own suggestion
    dialog               its own dialog about a command, where its keys are known
    decide               a decision to what its permission hook prints
    tools                its tools that touch files, by name, and those that touch none
    refuse               (reason) to what its hook before a tool prints to refuse the call
    question_tool        its tool that asks the person, if a hook may answer in their place
    answer_questions     (input, answers by question) to what the hook before that tool prints
    plan_tools           tools whose input is the agent's plan, if the hook before may add context
    longest_context      characters that it takes as context
    add_context          (hook, context, message to the person) to what is printed there
    quit_keys            keys, as tmux calls them, pressed one after the other until it is gone
    """

    name: str
    takes_answers: frozenset[str] = frozenset()
    longest_answer: int = 0
    hand_over: Callable[[str, str], Answer] | None = None
    permission_patience: float = 0.0
    own_dialogs: frozenset[str] = frozenset()
    edits_commands_of: frozenset[str] = frozenset()
    lasting_rules: bool = False
    dialog: Dialog | None = None
    decide: Callable[[Decision], Answer] | None = None
    tools: Mapping[str, Tool] = {}
    refuse: Callable[[str], Answer] | None = None
    question_tool: str | None = None
    answer_questions: Callable[[Mapping[str, Any], Mapping[str, str]], Answer] | None = None
    plan_tools: frozenset[str] = frozenset()
    longest_context: int = 0
    add_context: Callable[[str, str, str], Answer] | None = None
    quit_keys: tuple[str, ...] = ()

    def takes(self, tool: str | None) -> list[str]:
        """What its waiting hook takes beside yes and no with a permission for that tool.

        `modify`: another command in place of the one asked for; `always`: its own
        suggestion of a lasting rule.
        """
        edits = ["modify"] if tool in self.edits_commands_of else []
        return [*edits, "always"] if self.lasting_rules and tool else edits


def context(hook: str, text: str, message: str) -> Answer:
    """The text for the agent, beside what called the hook; the message for the person."""
    added = {"hookEventName": hook, "additionalContext": text}
    return {"hookSpecificOutput": added, "systemMessage": message}


def context_or_block(hook: str, text: str) -> Answer:
    """The text as context after a tool call; at a Stop, as the reason to go on."""
    if hook == "Stop":
        return {"decision": "block", "reason": text}
    return {"hookSpecificOutput": {"hookEventName": hook, "additionalContext": text}}


def permission(decision: Answer) -> Answer:
    """A permission hook's answer around the decision itself."""
    return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}


def denied(value: str | None) -> Answer:
    """A refusal that tells the agent why."""
    return permission({"behavior": "deny", "message": value or "The operator denied this."})


def before_tool(decision: str, **more: object) -> Answer:
    """The answer of a hook before a tool: `decision` is allow or deny."""
    answer = {"hookEventName": "PreToolUse", "permissionDecision": decision, **more}
    return {"hookSpecificOutput": answer}


def refused(reason: str) -> Answer:
    """The tool is not called, and the agent is told why."""
    return before_tool("deny", permissionDecisionReason=reason)
