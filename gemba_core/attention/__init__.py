"""Calling for an operator who is elsewhere: which escalations, when, and where to.

`rule` is the configuration, `plan` decides without a clock or a file, `ledger`
remembers what was sent, `channel` sends, and `notifier` brings them together.
"""
