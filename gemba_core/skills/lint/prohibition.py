"""Whether the words around a command forbid it.

An agent does what a skill tells it to, and a skill may also tell it what never to
do. Judged is the clause in which the command stands: it is forbidden where a
word of forbidding ("never", "do not", "instead of") governs it, or where the words
behind it say so ("is refused"). What only holds under a condition ("if you do
not know") forbids nothing, nor does "do not hesitate to". In doubt a command
is taken for an instruction.
"""

import re

# Characters. A clause is not longer; what is, is no prose, and slow to look through.
_NEAR = 300
_HARD_END = re.compile(r"[.!?;](?=[\s*_)\"”]|$)|[—–]|:(?=\s|$)|\n[ \t]*\n")
_TURN = re.compile(
    r",\s*(?:but|instead|use|call|run|ask|raise)\b|\b(?:but|instead)\b(?! of)", re.IGNORECASE
)
# "If you do not know, …": up to its comma it says when, not what. A comma may be missing.
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|where|while|because|since|unless|once|after|before|until|as)\b"
    r"(?:[^,]*,|\s+\w+\s+(?:cannot|\w+\s+not|\w+n[’']t)(?=\s))",
    re.IGNORECASE,
)
_NEGATION = (
    r"(?:\bnever\b|\b(?:must|may|should|shall|can|could|will|would)(?:\s+not\b|n[’']t\b)"
    r"|\bcannot\b|(?<!you )(?<!they )(?<!we )(?<!it )\bdo(?:\s+not\b|n[’']t\b)"
    r"|\bnot\s+to\b|\b(?:forbidden|not\s+allowed|not\s+permitted|wrong)\s+to\b)"
)
_USE = (
    r"(?:call|use|run|raise|emit|issue|send|invoke|execute|write|type|open|try|do|have|print|"
    r"ask|append|post|tell|put|read|pass|give|set)(?:s|ing)?"
)
# Between the negation and the verb: a few words that do not turn the sense.
_BETWEEN = (
    r"(?:,[^,]*,)?[^\w,]+"
    r"(?:(?!(?:until|unless|before|without|but|then|and)\b)[\w’'-]+[^\w,]+){0,6}?"
)
# "Never, under any circumstances, …": the comma turns nothing.
_INSERTED = re.compile(rf"{_NEGATION},[^,]*$", re.IGNORECASE)
_GOVERNS = re.compile(rf"{_NEGATION}{_BETWEEN}\b{_USE}\b", re.IGNORECASE)
_NO_FORBIDDING = re.compile(
    rf"{_NEGATION}\W+(?:hesitate|forget|fail|wait|stop|skip)\b|\bnot\b.*\bwithout\b", re.IGNORECASE
)
# Directly before the command.
_ADJACENT = re.compile(
    r"[❌✗✘🚫⛔]\W*$|\b(?:avoid|skip|never|not|no|instead\s+of|rather\s+than|without|forbids?|refuses?|rejects?)\b"
    rf"(?:\s+(?:an?|any|the|{_USE}))*\W*$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"^\W*(?:calls?\s+)?(?:(?:is|are|gets?|would\s+be|will\s+be)\s+(?:\w+\s+){0,2}?"
    r"(?:refused|rejected|forbidden|dropped|wrong|off[ -]limits|"
    r"not\s+(?:allowed|permitted|for|yours|a\s+coach))"
    r"|(?:refuses|rejects|(?:will|would)\s+(?:refuse|reject))\b"
    r"|(?:(?:must|may|should|can|shall)(?:\s+not|n[’']t|\s+never)|cannot)\s+(?:ever\s+)?be"
    r"|belongs?\s+to)\b",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r"\bforbidden\b|\banti-?patterns?\b|[❌✗✘🚫⛔]|\bdon[’']?ts?\s*$|^\W*(?:wrong|bad|not\s+this|avoid)\b|"
    r"\b(?:must|may|should|do)(?:\s+not|n[’']t)\s*:?\s*$|"
    rf"{_NEGATION}\W+(?:[\w’'-]+\W+){{0,3}}?"
    r"(?:call|use|run|raise|emit|issue|send|invoke|execute|write|type|try|do)\b",
    re.IGNORECASE,
)


def forbids(text: str, start: int, end: int) -> bool:
    """Whether the text forbids what stands in it from `start` to `end`.

    Code elsewhere in the text should be blanked, so that its points end no sentence.
    """
    lead = text[max(0, start - _NEAR) : start]
    clause = _clause(lead)
    before = lead.rstrip(" \t\n*_`")
    if not clause.strip(" \t\n*_`") and before.endswith(":"):
        # "Never do this: `…`": what stands before the colon leads in.
        return leads_in(_clause(before[:-1]))
    plain = _CONDITION.sub(" ", clause)
    if _NO_FORBIDDING.search(plain):
        return False
    rest = text[end : end + _NEAR]
    return bool(_GOVERNS.search(plain) or _ADJACENT.search(plain) or _AFTER.search(rest))


def leads_in(text: str) -> bool:
    """Whether a heading, or the words before a list or a block of code, forbid what follows."""
    plain = _CONDITION.sub(" ", text[-_NEAR:])
    return not _NO_FORBIDDING.search(plain) and _TITLE.search(plain) is not None


def last_clause(text: str) -> str:
    """The words after the last end of a sentence, of a text that ends with a colon or a point."""
    return _clause(text.rstrip(" \t\n*_:."))


def sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence around that stretch begins and ends."""
    begin = 0
    for mark in re.finditer(r"[.!?](?=\s)|\n[ \t]*\n", text[:start]):
        begin = mark.end()
    found = re.search(r"[.!?](?=\s|$)|\n[ \t]*\n", text[end:])
    return begin, end + found.start() if found else len(text)


def _clause(lead: str) -> str:
    start = 0
    for mark in _HARD_END.finditer(lead):
        start = mark.end()
    clause = lead[start:]
    for mark in reversed(list(_TURN.finditer(clause))):
        if not _INSERTED.search(clause[: mark.start()]):
            return clause[mark.start() + 1 :]
    return clause
