"""Sending one message through Apprise, which knows the services. Imported only to send."""

import logging

from gemba_core.attention.address import redacted
from gemba_core.attention.message import Message
from gemba_core.errors import GembaError


class Channel:
    """An address that messages can be sent to. Raises GembaError where Apprise has no use for it.

    What it says of failures never holds the address. Sending takes a few
    seconds where the service does not answer.
    """

    def __init__(self, name: str, secret: str) -> None:
        try:
            # Imported here: it takes most of a second, and comes with an extra.
            import apprise
        except ImportError as error:
            what = "notifications need Apprise: pip install 'gemba-toolkit[notify]'"
            raise GembaError(what) from error
        self._secret = secret
        self._kinds = apprise.NotifyType
        self._plain = apprise.NotifyFormat.TEXT
        with _Overheard() as overheard:
            service = apprise.Apprise.instantiate(secret)
        if service is None:
            why = redacted(overheard.said, secret)
            raise GembaError(
                f"notify {name}: Apprise cannot use its address" + (f" ({why})" if why else "")
            )
        self._apprise = apprise.Apprise(service)

    def send(self, message: Message) -> str | None:
        """Send it; why it was not, if so."""
        kind = self._kinds.WARNING if message.is_urgent else self._kinds.INFO
        with _Overheard() as overheard:
            try:
                sent = self._apprise.notify(
                    body=message.body,
                    title=message.title,
                    notify_type=kind,
                    body_format=self._plain,
                )
            except Exception as error:  # a fault of one service's plug-in is a message not sent
                return redacted(f"{type(error).__name__}: {error}", self._secret)
        if sent:
            return None
        return redacted(overheard.said, self._secret) or "the service did not take it"


class _Overheard(logging.Handler):
    """What Apprise says to its log meanwhile: nothing of it goes anywhere else."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.said = self.said or record.getMessage()

    def __enter__(self) -> "_Overheard":
        log = logging.getLogger("apprise")
        log.propagate = False
        log.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger("apprise").removeHandler(self)
