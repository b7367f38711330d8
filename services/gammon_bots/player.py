"""A bot at the table: reads the match, acts for its seats, and goes on until the match is over."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_bots.decisions import decide
from gammon_client.errors import Closed, Conflict, NoPause, NoTakeBack, Paused
from gammon_client.match_client import MatchClient, Receipt
from gammon_client.table_calls import AnswerBack
from gammon_engine.referee import summary
from gammon_engine.referee.state import State
from gammon_engine.settings import Settings
from gammon_engine.violation import Violation
from gammon_wire.settings import settings_from_proto
from gammon_wire.state import state_from_bytes

# How often a bot looks whether its opponent has acted.
LOOK_AGAIN_S = 0.02


@dataclass(frozen=True, slots=True)
class Table:
    """A match at a batch end. `seen`: that end. `state`: None before all seats are taken."""

    seen: Receipt
    status: events_pb2.MatchStatus.ValueType
    settings: Settings
    state: State | None


async def play_match(
    clients: Mapping[int, MatchClient],
    match_id: str,
    *,
    look_again_s: float = LOOK_AGAIN_S,
    on_look: Callable[[Table], None] = lambda _: None,
) -> pb.Match:
    """Plays the seats of `clients`, each held by its client, until the match is closed; gives the match at its end.

    A service that is away is waited for as long as the clients' patience lasts; every act keeps its request id
    meanwhile. `on_look` is shown every state that the bot sees.

    Raises:
        LedgerError: a refusal. After `Conflict`, `Closed` and `Paused`, when somebody else was first, the match is read
            again.
    """
    reader, offered = next(iter(clients.values())), dict[int, int]()
    table = read_table(await reader.get_match(match_id))
    while table.status != events_pb2.MATCH_STATUS_CLOSED:
        on_look(table)
        seat = next_seat(table)
        if seat is None or table.state is None or seat not in clients:
            await asyncio.sleep(look_again_s)
            match = await reader.get_match(match_id)
            await _agree_to_go_back(clients, match)
            await _agree_to_pause(clients, match)
            table = read_table(match)
            continue
        action = decide(table.settings, table.state, seat, offered)
        try:
            done = await clients[seat].act(match_id, seat, action, seen=table.seen)
        except (Conflict, Closed, Paused):
            table = read_table(await clients[seat].get_match(match_id))
        else:
            table = after_batch(table, done.events)
    on_look(table)
    return await reader.get_match(match_id)


async def _agree_to_go_back(clients: Mapping[int, MatchClient], match: pb.Match) -> None:
    """A bot consents to every take-back that waits for its answer while it is not on turn."""
    if not match.HasField("take_back"):
        return
    seen = Receipt(match.head.sequence, match.head.hash)
    for seat, client in clients.items():
        if seat not in match.take_back.consenting:
            with contextlib.suppress(Conflict, Closed, NoTakeBack):
                await client.take_back(match.match_id, seat, AnswerBack(accept=True), seen=seen)


async def _agree_to_pause(clients: Mapping[int, MatchClient], match: pb.Match) -> None:
    """A bot has time for every pause that somebody asks for."""
    if not match.pause_asked_by:
        return
    for seat, client in clients.items():
        if seat not in match.pause_asked_by:
            with contextlib.suppress(NoPause, Closed):
                await client.pause_match(match.match_id, seat)


def next_seat(table: Table) -> int | None:
    """Who acts next: the lowest of the seats that may, so that one alone asks for the opening throw."""
    if table.state is None or table.status != events_pb2.MATCH_STATUS_PLAYING:
        return None
    return min(summary(table.state).seats_to_act, default=None)


def read_table(match: pb.Match) -> Table:
    """The match as the service tells it.

    Raises:
        ValueError: settings or state that this engine cannot read.
    """
    settings = settings_from_proto(match.settings.rules)
    if isinstance(settings, tuple):
        raise ValueError(f"settings: {settings[0].field} {settings[0].value}: {settings[0].reason}")
    seen = Receipt(match.head.sequence, match.head.hash)
    return Table(seen, match.status, settings, _state(settings, match.state))


def after_batch(table: Table, events: Sequence[pb.StoredEvent]) -> Table:
    """The table after the events of a batch, from its end.

    Raises:
        ValueError: as `read_table`.
    """
    last = events[-1]
    end = events_pb2.Envelope.FromString(last.envelope).batch_end
    return Table(Receipt(last.sequence, last.hash), end.status, table.settings, _state(table.settings, end.state))


def _state(settings: Settings, stored: bytes) -> State | None:
    if not stored:
        return None
    state = state_from_bytes(settings, stored)
    if isinstance(state, Violation):
        raise ValueError(f"{state.field}: {state.value}: {state.reason}")
    return state
