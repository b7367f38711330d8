"""`gammon demo`: the whole suite once, from a bot match to the audit of all that was stored."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import pairwise

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import settings_pb2
from gammon.rules.v1 import settings_pb2 as rules_pb2
from gammon_audit.audit import audit
from gammon_audit.record import MatchRecord, Receipt
from gammon_audit.replay import Turn
from gammon_audit.replay import replay as replay_match
from gammon_audit.report import Report, exit_code
from gammon_bots.player import Table, play_match
from gammon_cli.audit import show_reports
from gammon_cli.record_file import demo_record
from gammon_cli.replay import show_board, show_turn
from gammon_cli.screen import OUT, told
from gammon_cli.stored_match import match_service, read_stored
from gammon_cli.suite import LOG, Plan, Suite, running_suite
from gammon_cli.up import RedisUrl, directory
from gammon_client.calls import open_channel
from gammon_client.match_client import MatchClient

POINTS = 5
BOTS = ("bot:0", "bot:1")
BOARDS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Played:
    """A match as stored, and the receipts that its players hold."""

    record: MatchRecord
    receipts: tuple[Receipt, ...]


def demo(redis_url: RedisUrl = "") -> None:
    """Start everything in a temporary place, let bots play, import a public record, replay and audit both."""
    started = time.monotonic()
    with directory(None) as place, told(place / LOG):
        reports = asyncio.run(_run(Plan(place, redis_url)))
    verdicts = ", ".join(sorted({report.verdict for report in reports}))
    OUT.print(f"\nAudit verdict: {verdicts}. It took {time.monotonic() - started:.0f} s.", highlight=False)
    if verdicts == "INCOMPLETE":
        OUT.print("Nothing failed; the tables say what nobody can check, and why.", highlight=False)
    raise typer.Exit(exit_code(reports))


async def _run(plan: Plan) -> list[Report]:
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=OUT) as progress:
        starting = progress.add_task("Starting", total=4)

        def on_step(step: str) -> None:
            progress.update(starting, description=f"Starting {step}", advance=1)

        async with running_suite(plan, on_step) as suite:
            progress.update(starting, description="Suite is up", completed=4)
            played = await _bot_match(suite, progress)
            recorded = await _import(suite, progress)
            progress.stop()
            _show_few_boards(recorded.record)
            _show_end(played.record)
    reports = [audit(each.record, each.receipts) for each in (played, recorded)]
    for report in reports:
        show_reports([report])
    return reports


async def _bot_match(suite: Suite, progress: Progress) -> Played:
    bar = progress.add_task("Bots play a match to 5", total=POINTS)

    def on_look(table: Table) -> None:
        if table.state is not None:
            score = " : ".join(map(str, table.state.score))
            described = f"Bots play a match to {POINTS}: game {table.state.game_number}, {score}"
            progress.update(bar, description=described, completed=min(int(max(table.state.score)), POINTS))

    async with AsyncExitStack() as stack:
        clients = {}
        for seat, subject in enumerate(BOTS):
            channel = await stack.enter_async_context(open_channel(suite.endpoints.match))
            clients[seat] = MatchClient(channel, suite.token(subject, "player"))
        match_id = (await clients[0].create_match(_settings())).match_id
        for seat, client in clients.items():
            await client.take_seat(match_id, seat)
        await play_match(clients, match_id, on_look=on_look)
        return await _read(suite, match_id, tuple(clients.values()))


def _settings() -> settings_pb2.MatchSettings:
    play = rules_pb2.MatchPlay(points=POINTS)
    return settings_pb2.MatchSettings(
        rules=rules_pb2.Settings(game=rules_pb2.GAME_BACKGAMMON, seats=2, match=play),
        seats=[settings_pb2.SeatSettings(player=subject) for subject in BOTS],
        tags=["demo"],
    )


async def _import(suite: Suite, progress: Progress) -> Played:
    record = demo_record()
    bar = progress.add_task(f"Importing a public record of {len(record.acts)} acts", total=1)
    async with open_channel(suite.endpoints.match) as channel:
        client = MatchClient(channel, suite.token("importer", "operator"))
        imported: pb.ImportMatchResponse = await client.import_match(record.header, record.acts)
        progress.update(bar, completed=1)
        return await _read(suite, imported.match.match_id, (client,))


async def _read(suite: Suite, match_id: str, holders: Sequence[MatchClient]) -> Played:
    kept = [holder.receipts[match_id] for holder in holders if match_id in holder.receipts]
    async with match_service(suite.endpoints) as auditor:
        record = await read_stored(auditor, match_id)
    return Played(record, tuple(Receipt(match_id, receipt.sequence, receipt.hash) for receipt in kept))


def _turns(record: MatchRecord) -> list[Turn]:
    return [turn for turn in replay_match(record) if isinstance(turn, Turn)]


def _show_few_boards(record: MatchRecord) -> None:
    turns = _turns(record)
    moved = [turn for before, turn in pairwise(turns) if turn.position != before.position]
    OUT.print(f"\nFrom the replay of the recorded match {record.match_id}:", highlight=False)
    for part in range(1, BOARDS_SHOWN + 1):
        turn = moved[len(moved) * part // (BOARDS_SHOWN + 1)]
        show_turn(turn)
        show_board(turn)


def _show_end(record: MatchRecord) -> None:
    turns = _turns(record)
    OUT.print(f"\nThe end of the bots' match {record.match_id}:", highlight=False)
    show_board(turns[-1])
    OUT.print(f"Result: {turns[-1].what}\n", markup=False, highlight=False, soft_wrap=True)
