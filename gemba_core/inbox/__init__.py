"""The operator's use-cases: find, answer, deliver, follow. Every surface calls these.

Imported by room (`inbox.settle`, `inbox.live`, ...): listing must not pay for watching.
"""
