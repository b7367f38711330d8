"""How a match was made, in the audit: accepted terms, reserved seats, what a rematch says of the match before."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from hashlib import sha256

import pytest
from tests.audit.recordings import envelope, rechained, recording, with_envelope
from tests.match.in_process import Desk, match_to
from tests.match.test_more_players import record_of

from gammon.match.v1 import settings_pb2
from gammon_audit.audit import audit
from gammon_audit.record import MatchRecord
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.rematch import Rematch
from gammon_match.service.settings import rematch_settings


def wrong(record: MatchRecord) -> tuple[int | None, str]:
    """Where the envelopes are first wrong, and how."""
    found = audit(record).first_wrong
    assert found is not None
    assert found.name == "envelopes"
    return found.sequence, found.detail


@pytest.mark.parametrize(
    ("accepted", "fault"),
    [
        (b"", "seat 1 was taken without accepted settings, as before those were stored"),
        (bytes(32), "seat 1 accepted other settings"),
        (sha256(b"other settings").digest(), "seat 1 accepted other settings"),
    ],
)
def test_a_seat_that_did_not_accept_the_settings_is_named(accepted: bytes, fault: str) -> None:
    record = recording()
    forged = envelope(record, 3)
    assert forged.seat_taken.accepted_settings == sha256(envelope(record, 1).match_created.settings).digest()
    forged.seat_taken.accepted_settings = accepted
    assert wrong(rechained(with_envelope(record, 3, forged))) == (3, fault)


@cache
def rematch_record() -> MatchRecord:
    """A rematch that has just started."""
    return asyncio.run(_rematch())


async def _rematch() -> MatchRecord:
    desk = Desk()
    live = await desk.match(match_to(1))
    await desk.play_out(live)
    again = await desk.rematch(Rematch(live.match_id, "alice", "again", rematch_settings))
    assert isinstance(again, LiveMatch)
    for player in ("alice", "bob"):
        await desk.sit(again, player)
    return await record_of(desk, again)


def test_a_rematch_is_as_it_should_be() -> None:
    assert audit(rematch_record()).first_wrong is None


def test_a_reserved_seat_taken_by_another_is_named() -> None:
    record = rematch_record()
    forged = envelope(record, 2)
    forged.seat_taken.player = forged.actor.player = "mallory"
    taken = rechained(with_envelope(record, 2, forged))
    assert wrong(taken) == (2, "seat 0 is reserved for 'alice', not for 'mallory'")


def forged(change: Callable[[settings_pb2.MatchSettings], object]) -> MatchRecord:
    """The rematch with other settings."""
    record = rematch_record()
    first = envelope(record, 1)
    settings = settings_pb2.MatchSettings.FromString(first.match_created.settings)
    change(settings)
    first.match_created.settings = settings.SerializeToString(deterministic=True)
    return rechained(with_envelope(record, 1, first))


def test_a_rematch_of_nothing_of_another_or_of_itself_is_named() -> None:
    another = "m_001_" + "A" * 26
    fault = f"the rematch of {another} has another match id"
    assert wrong(forged(lambda s: setattr(s, "rematch_of", another))) == (1, fault)
    itself = rematch_record().match_id
    fault = f"the rematch of {itself} has another match id"
    assert wrong(forged(lambda s: setattr(s, "rematch_of", itself))) == (1, fault)
    fault = "it is called a rematch of 'm_1', which is no match id"
    assert wrong(forged(lambda s: setattr(s, "rematch_of", "m_1"))) == (1, fault)
    moved = rechained(replace(rematch_record(), match_id=another))
    assert "has another match id" in wrong(moved)[1]


def test_a_rematch_keeps_a_seat_for_each_player() -> None:
    fault = "a seat of a rematch is reserved for nobody"
    assert wrong(forged(lambda s: s.ClearField("seats"))) == (1, fault)
    assert wrong(forged(lambda s: s.seats[1].ClearField("player"))) == (1, fault)


def test_what_was_played_elsewhere_is_no_rematch() -> None:
    recorded = forged(lambda s: setattr(s, "dice", settings_pb2.DICE_SOURCE_RECORDED))
    first = envelope(recorded, 1)
    first.actor.operator = first.match_created.creator
    assert "it was played elsewhere" in wrong(rechained(with_envelope(recorded, 1, first)))[1]
