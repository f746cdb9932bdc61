"""Many processes, kills and crash points: what is promised must hold however a process ends."""
