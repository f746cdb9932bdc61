"""A program that reads lines as the terminal hands them out, for tests.

Usage: line_reader.py RECORD
"""

import json
import sys

if __name__ == "__main__":
    with open(sys.argv[1], "a", encoding="utf-8", buffering=1) as record:
        print("? ", end="", flush=True)
        record.write(json.dumps({"event": "ready", "text": ""}) + "\n")
        for line in sys.stdin:
            record.write(json.dumps({"event": "submitted", "text": line.rstrip("\n")}) + "\n")
            print("? ", end="", flush=True)
