"""Stores with their index, filled with matches of many kinds, and what the logs alone say about each."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from random import Random

from tests.contracts.redis_stores import opened_index, opened_store
from tests.match.in_process import PLAYERS, Desk, match_to

from gammon.match.v1 import events_pb2
from gammon.match.v1 import settings_pb2 as match_settings_pb2
from gammon.rules.v1 import settings_pb2
from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.adapters.partitions import partition_of
from gammon_match.app.create_match import Created, CreateMatch
from gammon_match.app.direct import Close
from gammon_match.app.finding import Finding, FoundPage
from gammon_match.app.identity import created_match_id
from gammon_match.app.index import MatchIndex
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import DurabilityLevel, EventStore, Recorded
from gammon_match.app.take_seat import Seated as SeatTaken
from gammon_match.app.writing import Writing, Written
from gammon_match.core.events import BatchEnd, Operator, Seated
from gammon_match.core.listing import Wanted
from gammon_match.core.sight import Viewer
from gammon_match.core.table_events import DirectorReason, PlayerReplaced, Preferences, PreferencesSet
from gammon_match.service.settings import settings_bytes

PARTITIONS = 16
TAGS = ("cup", "club", "{odd}:*")


@dataclass(frozen=True)
class Shelf:
    """A store and its index."""

    store: EventStore
    index: MatchIndex

    def finding(self, desk: Desk) -> Finding:
        return Finding(self.index, desk.codec, partition_of, PARTITIONS)


@asynccontextmanager
async def real_shelf(url: str) -> AsyncIterator[Shelf]:
    """On a real server."""
    async with opened_store(url) as store, opened_index(url) as index:
        yield Shelf(store, index)


def memory_shelf() -> Shelf:
    """In memory."""
    store = MemoryEventStore()
    return Shelf(store, store)


@dataclass(frozen=True)
class FromLog:
    """A match as its stored envelopes say, read without any of the service's own code but the contract."""

    match_id: str
    status: int
    players: tuple[str, ...]
    creator: str
    tags: frozenset[str]
    game: int
    created_ns: int
    private: bool

    def fits(self, wanted: Wanted, viewer: Viewer) -> bool:
        whose = {*self.players, self.creator} - {""}
        waits = self.status == events_pb2.MATCH_STATUS_AWAITING_DRAW
        statuses = {self.status} | ({events_pb2.MATCH_STATUS_PLAYING} if waits else set())
        return all(
            (
                not wanted.player or wanted.player in whose,
                not wanted.tag or wanted.tag in self.tags,
                wanted.status is None or wanted.status.value in statuses,
                not wanted.game or wanted.game == self.game,
                wanted.created_from_ns is None or self.created_ns >= wanted.created_from_ns,
                wanted.created_before_ns is None or self.created_ns < wanted.created_before_ns,
                not self.private or viewer.official or viewer.player in whose,
            )
        )


async def from_log(store: EventStore, match_id: str) -> FromLog:
    """Reads a match."""
    recorded = await store.read(match_id)
    assert isinstance(recorded, Recorded)
    envelopes = [events_pb2.Envelope.FromString(event.envelope) for event in recorded.events]
    created = envelopes[0].match_created
    settings = match_settings_pb2.MatchSettings.FromString(created.settings)
    seats = [seat.player for seat in settings.seats] or [""] * settings.rules.seats
    for envelope in envelopes:
        match envelope.WhichOneof("event"):
            case "seat_taken":
                seats[envelope.seat_taken.seat] = envelope.seat_taken.player
            case "player_replaced":
                seats[envelope.player_replaced.seat] = envelope.player_replaced.player
    return FromLog(
        match_id,
        [envelope.batch_end.status for envelope in envelopes if envelope.HasField("batch_end")][-1],
        tuple(seats),
        created.creator,
        frozenset(settings.tags),
        settings.rules.game,
        envelopes[0].record_time.ToNanoseconds(),
        settings.private,
    )


async def create(desk: Desk, settings: match_settings_pb2.MatchSettings, creator: str, request_id: str) -> LiveMatch:
    """A match with these settings."""
    rules = settings.rules.SerializeToString(deterministic=True)
    created = await desk.create(
        CreateMatch(creator, request_id, rules, lambda version: settings_bytes(settings, version), None)
    )
    assert isinstance(created, Created), created
    return created.live


def ids_beside(live: LiveMatch) -> Iterator[str]:
    """Request ids by which alice's matches fall into the same partition."""
    same = partition_of(live.match_id)
    for number in count():
        request_id = f"beside-{number}"
        if partition_of(created_match_id("alice", request_id, PARTITIONS)) == same:
            yield request_id


async def sit(desk: Desk, live: LiveMatch, player: str, seat: int) -> None:
    """Takes a seat, with an invitation, which a private match may want."""
    invitation = desk.invitations.token(live.match_id, seat, player)
    taken = await desk.sit(live, player, seat, request_id=f"sit-{seat}-{player}", invitation=invitation)
    assert isinstance(taken, SeatTaken), taken


async def give_seat(desk: Desk, live: LiveMatch, seat: int, player: str) -> None:
    """A director gives a seat to another player."""
    match = live.match
    end = BatchEnd(bytes(16), match.state, match.standing, match.status, match.draws, live.head.sequence + 1)
    replaced = PlayerReplaced(seat, player, b"", DirectorReason.REQUEST)
    writing = Writing(Operator("director"), f"give-{seat}-{player}", (replaced,), end)
    async with live.lock:
        assert isinstance(await desk.recorder.write(live, writing, DurabilityLevel.ACCEPTED), Written)


async def set_preferences(desk: Desk, live: LiveMatch, seat: int, preferences: Preferences) -> None:
    """A player lets the service do things, or nothing."""
    match = live.match
    end = BatchEnd(bytes(16), match.state, match.standing, match.status, match.draws, match.seats_sequence)
    events = (PreferencesSet(seat, preferences),)
    writing = Writing(Seated(seat), f"prefer-{live.head.sequence}", events, end)
    async with live.lock:
        assert isinstance(await desk.recorder.write(live, writing, DurabilityLevel.ACCEPTED), Written)


async def fill(desk: Desk, random: Random, matches: int) -> list[str]:
    """Creates matches of many kinds and brings each some way: open, reserved, begun, closed. Their ids."""
    ids = []
    for number in range(matches):
        desk.clock.ns += random.randrange(1_000_000_000)
        rules = random.choice((match_to(3), session_of(settings_pb2.GAME_TRACKGAMMON, random.choice((2, 3)))))
        settings = match_settings_pb2.MatchSettings(rules=rules, private=random.random() < 0.3)
        settings.tags.extend(random.sample(TAGS, random.randrange(3)))
        reserved = random.random() < 0.5
        if reserved:
            settings.seats.extend(
                match_settings_pb2.SeatSettings(player=player) for player in random.sample(PLAYERS, rules.seats)
            )
        live = await create(desk, settings, random.choice(PLAYERS), f"fill-{random.random()}-{number}")
        ids.append(live.match_id)
        for seat in range(random.choice((0, 1, rules.seats, rules.seats))):
            await sit(desk, live, settings.seats[seat].player if reserved else random.choice(PLAYERS), seat)
        if random.random() < 0.3:
            assert isinstance(await desk.rule(live, Close()), Written)
    return ids


def session_of(game: settings_pb2.Game.ValueType, seats: int = 2) -> settings_pb2.Settings:
    """A session of one game."""
    rules = settings_pb2.Settings(game=game, seats=seats)
    rules.session.games = 1
    return rules


async def found_by(finding: Finding, wanted: Wanted, viewer: Viewer, limit: int = 1000) -> list[str]:
    """All ids that are found, page by page; no page is above its limit."""
    ids: list[str] = []
    after = ""
    while True:
        page = await finding.page(wanted, viewer, after, limit)
        assert isinstance(page, FoundPage), page
        assert len(page.found) <= limit
        ids += [found.match_id for found in page.found]
        after = page.after
        if not after:
            return ids
