"""The native adaptor: agents in tmux panes, in workspaces that bubblewrap keeps apart."""
