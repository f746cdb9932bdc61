"""Gemini CLI. Its hooks can deny and add context, but hand over no answer in mid-turn."""

from gemba_core.clients.client import Answer, Client, Tool, context


def _refused(reason: str) -> Answer:
    return {"decision": "deny", "reason": reason}


# Versions differ in how they call a path.
_FILE = ("absolute_path", "file_path", "path")
_FOLDER = ("path", "dir_path")

_TOOLS = {
    "read_file": Tool(reads=_FILE),
    "write_file": Tool(writes=_FILE),
    "replace": Tool(writes=_FILE),
    "list_directory": Tool(reads=_FOLDER),
    "glob": Tool(searches=_FOLDER, patterns=("pattern",)),
    "search_file_content": Tool(searches=_FOLDER, patterns=("include",)),
    "grep_search": Tool(searches=_FOLDER, patterns=("include", "include_pattern")),
    "read_many_files": Tool(searches=("paths", "include")),
    "run_shell_command": Tool(runs=True),
    # Words for people and searches elsewhere.
    "google_web_search": Tool(),
    "save_memory": Tool(),
    "write_todos": Tool(),
}

GEMINI = Client(
    name="gemini",
    tools=_TOOLS,
    refuse=_refused,
    longest_context=9_000,
    add_context=context,
    # The first stops what it is doing, of the others two in a row end it.
    quit_keys=("C-c", "C-c", "C-c"),
)
