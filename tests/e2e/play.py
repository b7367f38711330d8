"""Matches between bots, and what an auditor makes of them."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from tests.e2e.reach import Reachable

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import settings_pb2
from gammon.rules.v1 import action_pb2
from gammon.rules.v1 import settings_pb2 as rules_settings_pb2
from gammon_audit.audit import audit
from gammon_audit.record import MatchRecord, RawEvent
from gammon_audit.record import Receipt as AuditReceipt
from gammon_audit.report import Report
from gammon_bots.player import play_match
from gammon_client.calls import open_channel
from gammon_client.match_client import MatchClient

PLAYERS = ("alice", "bob", "carol", "dave")
ROLL = action_pb2.Action(roll=action_pb2.Roll())


def backgammon(points: int = 3) -> settings_pb2.MatchSettings:
    """Settings of a match to a number of points."""
    settings = settings_pb2.MatchSettings()
    settings.rules.game, settings.rules.seats = rules_settings_pb2.GAME_BACKGAMMON, 2
    settings.rules.match.points = points
    return settings


@dataclass(frozen=True, slots=True)
class Table:
    """A match with a player on each seat."""

    match_id: str
    clients: dict[int, MatchClient]

    async def play(self) -> pb.Match:
        """Plays it to its end."""
        return await play_match(self.clients, self.match_id)


@asynccontextmanager
async def clients(suite: Reachable, *players: str) -> AsyncIterator[list[MatchClient]]:
    """A client for each player, each over a channel of its own."""
    async with AsyncExitStack() as stack:
        made = []
        for player in players:
            channel = await stack.enter_async_context(open_channel(suite.target()))
            made.append(MatchClient(channel, suite.token(player, "player", "operator")))
        yield made


@asynccontextmanager
async def table(suite: Reachable, settings: settings_pb2.MatchSettings | None = None) -> AsyncIterator[Table]:
    """A match that has just started, with all its players."""
    settings = settings or backgammon()
    async with clients(suite, *PLAYERS[: settings.rules.seats]) as players:
        match = await players[0].create_match(settings)
        for player in players:
            await player.take_seat(match)
        await players[0].get_match(match.match_id)
        yield Table(match.match_id, dict(enumerate(players)))


async def audited(client: MatchClient, match_id: str, *, receipts: bool = True) -> Report:
    """The audit of a match, with what the client has been told as receipts."""
    stored = await client.list_events(match_id)
    record = MatchRecord(
        match_id,
        tuple(RawEvent(event.sequence, event.envelope, event.hash) for event in stored.events),
        stored.head.sequence if stored.head is not None else 0,
        stored.head.hash if stored.head is not None else b"",
    )
    told = client.receipts.get(match_id)
    kept = [AuditReceipt(match_id, told.sequence, told.hash)] if receipts and told is not None else []
    return audit(record, kept)
