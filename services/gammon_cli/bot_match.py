"""Bots that play a contest through the services, with a bar that shows how far they are."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from rich.progress import Progress

from gammon_audit.record import MatchRecord, Receipt
from gammon_bots.player import Table, play_match
from gammon_cli.contests import Contest
from gammon_cli.stored_match import match_service, read_stored
from gammon_cli.suite import Suite
from gammon_client.match_client import MatchClient


@dataclass(frozen=True, slots=True)
class Played:
    """A match as stored, and the receipts that its players hold."""

    record: MatchRecord
    receipts: tuple[Receipt, ...]


async def play_contest(suite: Suite, contest: Contest, progress: Progress) -> Played:
    """Plays it to its end, each bot with a connection and a token of its own.

    Raises:
        LedgerError: a refusal.
    """
    # A session of one game has no measure of how far it is.
    bar = progress.add_task(contest.title, total=contest.points)

    def on_look(table: Table) -> None:
        if table.state is not None and contest.points:
            score = " : ".join(map(str, table.state.score))
            done = min(int(max(table.state.score)), contest.points)
            progress.update(bar, description=f"{contest.title}: {score}", completed=done)

    async with AsyncExitStack() as stack:
        clients = {}
        for seat, player in enumerate(contest.players):
            channel = await stack.enter_async_context(suite.endpoints.channel("match"))
            clients[seat] = MatchClient(channel, suite.token(player, "player"))
        match = await clients[0].create_match(contest.settings())
        match_id = match.match_id
        for seat, client in clients.items():
            await client.take_seat(match, seat)
        await play_match(clients, match_id, on_look=on_look)
        progress.update(bar, total=contest.points or 1, completed=contest.points or 1)
        return await read_played(suite, match_id, tuple(clients.values()))


async def read_played(suite: Suite, match_id: str, holders: Sequence[MatchClient]) -> Played:
    """A match as it is stored now, with what its holders were told of it."""
    kept = [holder.receipts[match_id] for holder in holders if match_id in holder.receipts]
    async with match_service(suite.endpoints) as auditor:
        record = await read_stored(auditor, match_id)
    return Played(record, tuple(Receipt(match_id, receipt.sequence, receipt.hash) for receipt in kept))
