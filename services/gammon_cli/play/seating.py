"""Who sits where: a new match with its bots, or a seat in one that is there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import settings_pb2
from gammon_cli.play.suite_at_hand import SuiteAtHand
from gammon_client.match_client import MatchClient

NO_KEY = (
    "bots need tokens of their own, and the key of this suite is not beside its token; play people, or the bot on a "
    "suite of your own with --data"
)


class NoSeat(Exception):
    """There is no seat to take; the text says why."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A person at a seat of a match with these terms, and the bots that this process plays; each with a connection."""

    match_id: str
    terms: settings_pb2.MatchSettings
    seats: int
    seat: int
    me: MatchClient
    bots: Mapping[int, MatchClient]
    open_seats: tuple[int, ...]


def person(seat: int) -> str:
    """Who sits at a seat and gave no reference."""
    return f"player:{seat}"


def bot(seat: int) -> str:
    """The bot of a seat."""
    return f"bot:{seat}"


def how_to_take(terms: settings_pb2.MatchSettings, seat: int) -> str:
    """The options that an open seat takes beside the match."""
    own = terms.seats[seat] if terms.seats else settings_pb2.SeatSettings()
    if own.player:
        return f" --player {own.player}"
    return f" --seat {seat} --invitation TOKEN" if own.invited or terms.private else ""


@asynccontextmanager
async def new_match(
    suite: SuiteAtHand, settings: settings_pb2.MatchSettings, seat: int, player: str, *, bots: bool
) -> AsyncIterator[Seated]:
    """Makes a match and takes `seat`; bots take the others, or people may. Raises LedgerError, NoSeat."""
    if bots and suite.key is None:
        raise NoSeat(NO_KEY)
    player = player or person(seat)
    for number in range(settings.rules.seats if bots else 0):
        settings.seats.add(player=player if number == seat else bot(number))
    async with _client(suite, player) as me:
        taken = await me.take_seat(await me.create_match(settings), seat)
        async with _with_bots(suite, taken, me) as seated:
            yield seated


@asynccontextmanager
async def joined(
    suite: SuiteAtHand, match_id: str, seat: int | None, player: str, invitation: str = ""
) -> AsyncIterator[Seated]:
    """Takes a seat of a match, or the seat that was the player's before; without `seat` one that is open.

    Raises:
        LedgerError: a refusal.
        NoSeat: none is open, and which one was the person's is not plain.
    """
    if not player and suite.key is not None:
        if seat is None:
            async with _client(suite, person(0)) as looking:
                seat = _seat_for(await looking.get_match(match_id))
        player = person(seat)
    async with _client(suite, player) as me:
        taken = await me.take_seat(await me.get_match(match_id), seat, invitation=invitation)
        async with _with_bots(suite, taken, me) as seated:
            yield seated


def _seat_for(match: pb.Match) -> int:
    """The first seat that anybody may take; if none, the only one that a person without a reference holds."""
    seats = range(match.settings.rules.seats)
    held = {seat: own.player for seat, own in enumerate(match.seats) if own.player}
    reserved = {seat: own.player for seat, own in enumerate(match.settings.seats) if own.player}
    for seat in seats:
        if seat not in held and reserved.get(seat, person(seat)) == person(seat):
            return seat
    mine = [seat for seat in seats if held.get(seat) == person(seat)]
    if len(mine) != 1:
        raise NoSeat(
            f"{match.match_id}: no seat is open; say --seat and, if you gave one, --player to take yours again"
        )
    return mine[0]


@asynccontextmanager
async def _client(suite: SuiteAtHand, player: str) -> AsyncIterator[MatchClient]:
    async with suite.endpoints.channel("match") as channel:
        yield MatchClient(channel, suite.token(player))


@asynccontextmanager
async def _with_bots(suite: SuiteAtHand, taken: pb.TakeSeatResponse, me: MatchClient) -> AsyncIterator[Seated]:
    """Seats the bots that the other seats are for. Whoever else plays them too, each act is stored once."""
    match = taken.match
    for_bots = [seat for seat, own in enumerate(match.settings.seats) if own.player == bot(seat)]
    if for_bots and suite.key is None:
        raise NoSeat(NO_KEY)
    async with AsyncExitStack() as stack:
        bots = {seat: await stack.enter_async_context(_client(suite, bot(seat))) for seat in for_bots}
        for seat, client in bots.items():
            match = (await client.take_seat(match, seat)).match
        still_open = tuple(seat for seat, own in enumerate(match.seats) if not own.player)
        yield Seated(match.match_id, match.settings, len(match.seats), taken.seat, me, bots, still_open)
