"""What a person is told of a delivery."""

from gemba.escalations.outcome import describe
from gemba_core.inbox.deliver import Report


def test_an_uncertain_one_is_said_with_the_commands_that_decide_it() -> None:
    """Whole, to be copied, and with the reason."""
    page = describe(Report("uncertain", "its deliverer is gone"), "3f9c")
    assert "(its deliverer is gone)" in page
    assert page.count("gemba escalations redeliver 3f9c") == 2
    assert page.endswith(" --leave")
