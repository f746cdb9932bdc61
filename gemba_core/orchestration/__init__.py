"""The OrchestrationPlane: the contract with an agent runtime, and the adaptors that keep it.

At its ground records (`agent`, `assignment`, `cost`, `escalation`, `event`,
`manifest`, `session`, `topology`, `workspace`), `error`, the calls and their
decoders; on these `adaptor`, the contract; then `step`, `scope`, `feed` and
`adaptors`, which callers and adaptors share, and `work`, the items that agents get;
then the adaptors themselves: `noop`, `native`.
"""
