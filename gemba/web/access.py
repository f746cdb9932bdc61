"""Who may come in: the token, and no page of another site.

Host and Origin are checked against DNS rebinding and cross-site requests: a
browser sends whoever's page is open to our port, with our cookie.
"""

import hmac
import ipaddress
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from starlette.datastructures import URL, Headers
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gemba.web.problem import problem
from gemba_core.inbox.actor import operator_name

_BEARER = "bearer "
_NO_TOKEN = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Gemba</title>
<p>Open the link that <code>gemba serve</code> printed when it was started.</p>
<p>If you have just followed it from another page: <a href="/">open the inbox</a>.</p></html>
"""


@dataclass(frozen=True, slots=True)
class Door:
    """What is asked of who comes in.

    token       the secret of this start
    hosts       names by which we may be called, besides addresses
    any_address  whether each address is ours: we listen elsewhere than on loopback
    port        tells our cookies from those of others on this machine
    operator    who acts, if the session does not say
    """

    token: str
    hosts: frozenset[str]
    any_address: bool
    port: int
    operator: str

    @property
    def cookie(self) -> str:
        """The name of the cookie with the token. A browser has one jar for all ports."""
        return f"gemba_{self.port}"

    @property
    def name_cookie(self) -> str:
        """The name of the cookie that says who acts."""
        return f"gemba_{self.port}_as"

    def is_token(self, given: str | None) -> bool:
        """Compared in constant time."""
        return given is not None and hmac.compare_digest(
            given.encode("utf-8", "replace"), self.token.encode()
        )

    def is_host(self, header: str) -> bool:
        """Whether that Host means us. An address cannot be rebound, a foreign name can."""
        try:
            name = urlsplit(f"//{header}").hostname or ""
        except ValueError:
            return False
        if name in self.hosts:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return self.any_address or address.is_loopback

    def operator_of(self, connection: HTTPConnection) -> str:
        """Who acts: what the program or the session's link says, else whose server it is.

        Raises UsageError for what is no name.
        """
        given = (
            connection.headers.get("gemba-operator", "").encode("latin-1").decode(errors="replace")
        )
        given = given or unquote(connection.cookies.get(self.name_cookie, ""))
        return operator_name(given) if given else self.operator


class Access:
    """The middleware that lets in."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        answer = self._foreign(connection.headers, scope) or self._known(connection, scope)
        await (answer or self._app)(scope, receive, send)

    def _foreign(self, headers: Headers, scope: Scope) -> Response | None:
        """The answer to a page that is not ours."""
        host = headers.get("host", "")
        if not self._door.is_host(host):
            return problem(403, "foreign_host", "the Host header names somebody else")
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in (
            f"http://{host.lower()}",
            f"https://{host.lower()}",
        ):
            return problem(403, "foreign_origin", "a page of another site may not ask")
        # Following a link to the page itself is no harm; anything else is ours to ask.
        if scope["path"] != "/" and headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            return problem(403, "foreign_origin", "a page of another site may not ask")
        return None

    def _known(self, connection: HTTPConnection, scope: Scope) -> Response | None:
        """None where the token is right; the answer to a link with it, or without."""
        door, is_page = self._door, scope["path"] == "/"
        if is_page and "token" in connection.query_params:
            return self._entered(connection) or self._unknown(is_page)
        authorization = connection.headers.get("authorization", "")
        if authorization.lower().startswith(_BEARER):
            return None if door.is_token(authorization[len(_BEARER) :]) else self._unknown(is_page)
        if not door.is_token(connection.cookies.get(door.cookie)):
            return self._unknown(is_page)
        # Browsers send Origin with each post; a cookie alone proves nothing about who posts.
        if scope["method"] not in ("GET", "HEAD") and "origin" not in connection.headers:
            return problem(403, "foreign_origin", "with the cookie a post needs its Origin")
        return None

    def _entered(self, connection: HTTPConnection) -> Response | None:
        """To the page, with the cookies, if the link's token is right."""
        door, given = self._door, connection.query_params
        if not door.is_token(given["token"]):
            return None
        answer = RedirectResponse(URL("/"), 303)
        name = quote(given.get("as", ""))
        for cookie, value in ((door.cookie, given["token"]), (door.name_cookie, name)):
            answer.set_cookie(cookie, value, httponly=True, samesite="strict")
        return answer

    def _unknown(self, is_page: bool) -> Response:
        if is_page:
            return HTMLResponse(_NO_TOKEN, 401)
        return problem(
            401,
            "no_token",
            "the token is missing or wrong: open the link that gemba serve printed, "
            "or send Authorization: Bearer",
            headers={"WWW-Authenticate": "Bearer"},
        )
