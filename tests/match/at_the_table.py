"""What seats do beside acting, at a desk in this process."""

from itertools import count

from tests.match.in_process import PLAYERS, Desk

from gammon.match.v1 import events_pb2
from gammon.rules.v1 import action_pb2
from gammon_match.app.identity import request_digest
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import Head
from gammon_match.app.preferences import SetPreferences
from gammon_match.app.preview import Preview, Previewed
from gammon_match.app.take_back import Answer, Propose, TakeBack
from gammon_match.app.writing import Written
from gammon_match.core.refusals import Refusal
from gammon_match.core.table_events import Preferences
from gammon_match.service.previewing import ACCEPT, OFFERS

BOTH = Preferences(roll_without_choice=True, play_forced=True)
ROLLS = Preferences(roll_without_choice=True)
PLAYS = Preferences(play_forced=True)
_numbers = count(1)


async def prefer(
    desk: Desk, live: LiveMatch, seat: int, preferences: Preferences, request_id: str = "", player: str = ""
) -> Written | Refusal:
    """A seat says what the service may do for it."""
    digest = request_digest(b"preferences", bytes([seat, preferences.roll_without_choice, preferences.play_forced]))
    request_id = request_id or f"prefer-{next(_numbers)}"
    return await desk.preferences(
        SetPreferences(live.match_id, player or PLAYERS[seat], seat, request_id, preferences, digest)
    )


async def say(
    desk: Desk,
    live: LiveMatch,
    seat: int,
    word: Propose | Answer,
    request_id: str = "",
    seen: Head | None = None,
    player: str = "",
) -> Written | Refusal:
    """A seat's word on a take-back."""
    digest = request_digest(b"take back", bytes([seat]), repr(word).encode())
    request_id = request_id or f"back-{next(_numbers)}"
    return await desk.take_back(
        TakeBack(live.match_id, player or PLAYERS[seat], seat, request_id, seen or live.head, word, digest)
    )


async def preview(
    desk: Desk, live: LiveMatch, seat: int, action: action_pb2.Action, player: str = ""
) -> Previewed | Refusal:
    """A seat looks ahead."""
    accept = ACCEPT if action.WhichOneof("kind") in OFFERS else None
    return await desk.preview(
        Preview(live.match_id, player or PLAYERS[seat], seat, action.SerializeToString(deterministic=True), accept)
    )


def envelopes(written: Written | Refusal) -> list[events_pb2.Envelope]:
    """The events of a batch that must have been stored."""
    assert isinstance(written, Written), written
    return [events_pb2.Envelope.FromString(event.envelope) for event in written.events]


def kinds(events: list[events_pb2.Envelope]) -> list[str]:
    """The kinds of events, of facts by what they tell."""
    return [event.fact.WhichOneof("kind") or event.WhichOneof("event") or "" for event in events]
