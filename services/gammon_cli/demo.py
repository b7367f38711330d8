"""`gammon demo`: the whole suite once, from a bot match and records of others to ratings and the audit of all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib.resources import as_file, files
from itertools import pairwise
from typing import NoReturn

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from gammon.match.v1 import settings_pb2
from gammon.rating.v1 import rating_service_pb2 as rating_pb
from gammon.rules.v1 import settings_pb2 as rules_pb2
from gammon_audit.audit import audit
from gammon_audit.record import MatchRecord, Receipt
from gammon_audit.replay import Turn
from gammon_audit.replay import replay as replay_match
from gammon_audit.report import Report, exit_code
from gammon_bots.player import Table, play_match
from gammon_cli.audit import show_reports
from gammon_cli.import_files import Importer, NotImported
from gammon_cli.local_names import LocalNames
from gammon_cli.ratings import MAIN, show_ratings
from gammon_cli.replay import show_board, show_turn
from gammon_cli.screen import ERR, NOT_DONE, OUT, told
from gammon_cli.stored_match import match_service, read_stored
from gammon_cli.suite import LOG, Plan, Suite, running_suite
from gammon_cli.up import RedisUrl, directory
from gammon_client.calls import open_channel
from gammon_client.match_client import MatchClient
from gammon_client.rating_client import RatingClient

POINTS = 5
BOTS = ("bot:0", "bot:1")
RECORDS = ("ada-ben.mat", "ben-cleo.mat", "cleo-ada.mat")
POOLS = ("imported", MAIN)
BOARDS_SHOWN = 3
RATED_WITHIN_S = 20.0
LOOK_AGAIN_S = 0.05


@dataclass(frozen=True, slots=True)
class Played:
    """A match as stored, and the receipts that its players hold."""

    record: MatchRecord
    receipts: tuple[Receipt, ...]


def demo(redis_url: RedisUrl = "") -> None:
    """Start everything in a temporary place, let bots play, import records, rate, replay and audit all of it."""
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
            names = LocalNames(plan.directory / "names")
            recorded = await _import(suite, names, progress)
            leaders = await _rate(suite, [played, *recorded], progress)
            progress.stop()
            _show_few_boards(recorded[0].record)
            _show_end(played.record)
            _show_leaders(leaders, names.names())
    reports = [audit(each.record, each.receipts) for each in (played, *recorded)]
    # All checks of a match of each kind, and a line for every match.
    for report in reports[:2]:
        show_reports([report])
    show_reports(reports)
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
        rated=True,
        tags=["demo"],
    )


async def _import(suite: Suite, names: LocalNames, progress: Progress) -> list[Played]:
    bar = progress.add_task("Importing records", total=len(RECORDS))
    imported = []
    async with open_channel(suite.endpoints.match) as channel:
        client = MatchClient(channel, suite.token("importer", "operator"))
        importer = Importer(client, names)
        for name in RECORDS:
            with as_file(files("gammon_cli") / "records" / name) as file:
                outcome = await importer.import_file(file)
            if isinstance(outcome, NotImported):
                _give_up(f"{name}: line {outcome.line}: {outcome.reason}")
            imported.append(await _read(suite, outcome.match_id, (client,)))
            progress.update(bar, description=f"Importing records: {name}", advance=1)
    return imported


async def _rate(suite: Suite, matches: Sequence[Played], progress: Progress) -> dict[str, list[rating_pb.Rating]]:
    """The leaders of each pool, once the rating service has taken in all matches."""
    bar = progress.add_task("Rating", total=len(matches))
    waiting = {match.record.match_id for match in matches}
    try:
        async with asyncio.timeout(RATED_WITHIN_S), open_channel(suite.endpoints.rating) as channel:
            client = RatingClient(channel, suite.endpoints.token)
            while waiting:
                waiting -= {match_id for match_id in waiting if await client.changes(match_id)}
                done = len(matches) - len(waiting)
                progress.update(bar, description=f"Rating: {done} of {len(matches)} matches", completed=done)
                if waiting:
                    await asyncio.sleep(LOOK_AGAIN_S)
            return {pool: await client.leaders(pool) for pool in POOLS}
    except TimeoutError:
        _give_up(f"not rated within {RATED_WITHIN_S:.0f} s: {', '.join(sorted(waiting))}")


def _give_up(why: str) -> NoReturn:
    ERR.print(f"gammon: {why}", style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(NOT_DONE)


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
    OUT.print(f"\nFrom the replay of the imported match {record.match_id}:", highlight=False)
    for part in range(1, BOARDS_SHOWN + 1):
        turn = moved[len(moved) * part // (BOARDS_SHOWN + 1)]
        show_turn(turn)
        show_board(turn)


def _show_end(record: MatchRecord) -> None:
    turns = _turns(record)
    OUT.print(f"\nThe end of the bots' match {record.match_id}:", highlight=False)
    show_board(turns[-1])
    OUT.print(f"Result: {turns[-1].what}\n", markup=False, highlight=False, soft_wrap=True)


def _show_leaders(leaders: Mapping[str, Sequence[rating_pb.Rating]], names: Mapping[str, str]) -> None:
    for pool, ratings in leaders.items():
        show_ratings(ratings, pool)
        for player in (rating.player for rating in ratings if rating.player in names):
            OUT.print(f"Only a file here says: {player} is {names[player]}", markup=False, highlight=False)
        OUT.print()
