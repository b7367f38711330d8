"""Making matches in this process: what the tests of it share."""

from tests.match.in_process import Desk, match_to
from tests.match.test_more_players import record_of

from gammon.match.v1 import settings_pb2 as match_pb
from gammon_audit.audit import audit
from gammon_audit.report import Verdict
from gammon_match.app.create_match import Created
from gammon_match.app.invite import Invite
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import Recorded
from gammon_match.app.take_seat import Seated
from gammon_match.core.refusals import (
    Refusal,
)


async def created(desk: Desk, **fields: object) -> LiveMatch:
    """A match of alice's."""
    settings = match_pb.MatchSettings(rules=match_to(1), **fields)  # type: ignore[arg-type]
    made = await desk.created(settings)
    assert isinstance(made, Created), made
    return made.live


async def count(desk: Desk, live: LiveMatch) -> int:
    recorded = await desk.store.read(live.match_id)
    assert isinstance(recorded, Recorded)
    return len(recorded.events)


async def assert_lawful(desk: Desk, live: LiveMatch) -> None:
    for check in audit(await record_of(desk, live)).checks:
        assert check.verdict is not Verdict.FAIL, check


def seated(outcome: Seated | Refusal) -> int:
    assert isinstance(outcome, Seated), outcome
    return outcome.seat


async def token(desk: Desk, live: LiveMatch, seat: int, player: str = "") -> str:
    invited = await desk.invite(Invite(live.match_id, "alice", False, seat, player))
    assert isinstance(invited, str), invited
    return invited
