"""Any other program: nothing is promised."""

from gemba_core.clients.client import Client

OTHER = Client(name="")
