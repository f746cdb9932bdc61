"""The operator's surface over HTTP: the same use-cases as the commands, and nothing besides.

Needs the extra `web`. Nothing here is imported before `gemba serve` runs.
"""
