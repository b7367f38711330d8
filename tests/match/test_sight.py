"""What somebody may see of a match, by policy, status, role and seat; the table is written by hand."""

import pytest

from gammon_match.core.events import Status
from gammon_match.core.match import Match
from gammon_match.core.sight import Viewer, seen_up_to
from gammon_match.core.table import Holder, Table
from gammon_match.core.terms import Spectators

LIVE, DELAYED, OFF = Spectators.LIVE, Spectators.DELAYED, Spectators.OFF
SEATING, PLAYING, PAUSED, CLOSED = Status.SEATING, Status.PLAYING, Status.PAUSED, Status.CLOSED
HEAD = 40

CAROL = Viewer("carol")
TABLE = Table(holders=((0, Holder("alice", b"")), (1, Holder("bob", b""))))


def match_in(status: Status, head: int = HEAD) -> Match:
    return Match(table=TABLE, status=status, sequence=head, batch_sequence=head)


@pytest.mark.parametrize(
    ("policy", "status", "seen"),
    [
        (LIVE, SEATING, 40),
        (LIVE, PLAYING, 40),
        (LIVE, PAUSED, 40),
        (LIVE, CLOSED, 40),
        (DELAYED, SEATING, 40),
        (DELAYED, PLAYING, 33),
        (DELAYED, PAUSED, 33),
        (DELAYED, CLOSED, 40),
        (OFF, SEATING, 40),
        (OFF, PLAYING, None),
        (OFF, PAUSED, None),
        (OFF, CLOSED, None),
    ],
)
def test_what_a_spectator_sees_of_forty_events_with_a_delay_of_seven(
    policy: Spectators, status: Status, seen: int | None
) -> None:
    assert seen_up_to(CAROL, match_in(status), policy, 7) == seen


@pytest.mark.parametrize("policy", list(Spectators))
@pytest.mark.parametrize("viewer", [Viewer("alice"), Viewer("bob"), Viewer("carol", official=True)])
def test_seats_and_officials_see_all_under_every_policy(policy: Spectators, viewer: Viewer) -> None:
    for status in Status:
        assert seen_up_to(viewer, match_in(status), policy, 7) == HEAD


@pytest.mark.parametrize(("head", "seen"), [(3, 1), (7, 1), (8, 1), (9, 2), (10, 3)])
def test_of_a_delayed_match_the_creation_can_always_be_seen(head: int, seen: int) -> None:
    assert seen_up_to(CAROL, match_in(PLAYING, head), DELAYED, 7) == seen


def test_a_batch_is_seen_when_it_is_whole() -> None:
    match = Match(table=TABLE, status=PLAYING, sequence=44, batch_sequence=HEAD)
    assert seen_up_to(CAROL, match, LIVE, 0) == HEAD
    assert seen_up_to(Viewer("alice"), match, OFF, 0) == HEAD
