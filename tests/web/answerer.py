"""Answers one escalation after another over HTTP, and writes down which were confirmed.

Arguments: the server's URL, its token, the file to write to, and the ids.
"""

import sys

import httpx


def main() -> None:
    url, token, path, *ids = sys.argv[1:]
    with (
        httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}) as client,
        open(path, "w") as confirmed,
    ):
        for one in ids:
            body = {"kind": "modify", "value": f"answer to {one}", "nonce": f"nonce {one}"}
            try:
                said = client.post(f"/api/escalations/{one}/respond", json=body)
            except httpx.HTTPError:
                return
            if said.status_code == httpx.codes.OK:
                confirmed.write(f"{one}\n")
                confirmed.flush()


if __name__ == "__main__":
    main()
