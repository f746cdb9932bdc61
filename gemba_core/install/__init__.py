"""Gemba in other programs' files: hooks, instructions, sandbox; and a workspace of its own.

`client` is what has to be known of a client, with one small file for each;
`merge`, `toml_list` and `marked` edit texts; `files` and `backup` write them;
`bridge` is the use-case.
"""
