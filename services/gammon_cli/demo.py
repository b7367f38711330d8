"""`gammon demo`: the whole suite once, from a bot match and records of others to ratings and the audit of all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from importlib.resources import as_file, files
from itertools import pairwise
from typing import Annotated, NoReturn

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from gammon.rating.v1 import rating_service_pb2 as rating_pb
from gammon_audit.audit import audit
from gammon_audit.record import MatchRecord
from gammon_audit.replay import Turn
from gammon_audit.replay import replay as replay_match
from gammon_audit.report import Report, exit_code
from gammon_cli.audit import show_reports
from gammon_cli.bot_match import Played, play_contest, read_played
from gammon_cli.contests import ONE_OF_EACH, Contest
from gammon_cli.import_files import Importer, NotImported
from gammon_cli.local_names import LocalNames
from gammon_cli.ratings import MAIN, show_ratings
from gammon_cli.replay import show_board, show_turn
from gammon_cli.screen import ERR, NOT_DONE, OUT, told
from gammon_cli.suite import LOG, Plan, Suite, running_suite
from gammon_cli.up import RedisUrl, directory
from gammon_client.match_client import MatchClient
from gammon_client.rating_client import RatingClient
from gammon_engine.settings import GameId

RECORDS = ("ada-ben.mat", "ben-cleo.mat", "cleo-ada.mat")
POOLS = ("imported", MAIN)
BOARDS_SHOWN = 3
RATED_WITHIN_S = 20.0
LOOK_AGAIN_S = 0.05


def demo(
    redis_url: RedisUrl = "",
    game: Annotated[GameId | None, typer.Option(help="Play this game only, and import no records.")] = None,
    seats: Annotated[int, typer.Option(help="How many bots play the one game: 2, in Trackgammon up to 4.")] = 2,
) -> None:
    """Start everything in a temporary place, let bots play, import records, rate, replay and audit all of it."""
    started = time.monotonic()
    contests = ONE_OF_EACH if game is None else (_contest(game, seats),)
    with directory(None) as place, told(place / LOG):
        reports = asyncio.run(_run(Plan(place, redis_url), contests, RECORDS if game is None else ()))
    verdicts = ", ".join(sorted({report.verdict for report in reports}))
    OUT.print(f"\nAudit verdict: {verdicts}. It took {time.monotonic() - started:.0f} s.", highlight=False)
    if verdicts == "INCOMPLETE":
        OUT.print("Nothing failed; the tables say what nobody can check, and why.", highlight=False)
    raise typer.Exit(exit_code(reports))


def _contest(game: GameId, seats: int) -> Contest:
    contest = Contest(game, seats)
    for fault in contest.faults():
        hint = f"--{fault.field}" if fault.field in ("game", "seats") else None
        raise typer.BadParameter(f"{fault.value}: {fault.reason} (rule {fault.rule})", param_hint=hint)
    return contest


async def _run(plan: Plan, contests: Sequence[Contest], records: Sequence[str]) -> list[Report]:
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=OUT) as progress:
        starting = progress.add_task("Starting", total=4)

        def on_step(step: str) -> None:
            progress.update(starting, description=f"Starting {step}", advance=1)

        async with running_suite(plan, on_step) as suite:
            progress.update(starting, description="Suite is up", completed=4)
            played = await asyncio.gather(*(play_contest(suite, contest, progress) for contest in contests))
            names = LocalNames(plan.directory / "names")
            recorded = await _import(suite, names, records, progress)
            rated = [match for match, contest in zip(played, contests, strict=True) if contest.settings().rated]
            leaders = await _rate(suite, [*rated, *recorded], progress)
            progress.stop()
            _show_few_boards([*recorded, *played][0].record)
            for contest, match in zip(contests, played, strict=True):
                _show_end(contest, match.record)
            _show_leaders(leaders, names.names())
    reports = [audit(each.record, each.receipts) for each in (*played, *recorded)]
    # All checks of one match that was played here and of one that was not, and a line for every match.
    for number in range(0, len(reports), len(played)):
        show_reports([reports[number]])
    show_reports(reports)
    return reports


async def _import(suite: Suite, names: LocalNames, records: Sequence[str], progress: Progress) -> list[Played]:
    imported: list[Played] = []
    if not records:
        return imported
    bar = progress.add_task("Importing records", total=len(records))
    async with suite.endpoints.channel("match") as channel:
        client = MatchClient(channel, suite.token("importer", "operator"))
        importer = Importer(client, names)
        for name in records:
            with as_file(files("gammon_cli") / "records" / name) as file:
                outcome = await importer.import_file(file)
            if isinstance(outcome, NotImported):
                _give_up(f"{name}: line {outcome.line}: {outcome.reason}")
            imported.append(await read_played(suite, outcome.match_id, (client,)))
            progress.update(bar, description=f"Importing records: {name}", advance=1)
    return imported


async def _rate(suite: Suite, matches: Sequence[Played], progress: Progress) -> dict[str, list[rating_pb.Rating]]:
    """The leaders of each pool, once the rating service has taken in all matches."""
    bar = progress.add_task("Rating", total=len(matches))
    waiting = {match.record.match_id for match in matches}
    try:
        async with asyncio.timeout(RATED_WITHIN_S), suite.endpoints.channel("rating") as channel:
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


def _turns(record: MatchRecord) -> list[Turn]:
    return [turn for turn in replay_match(record) if isinstance(turn, Turn)]


def _show_few_boards(record: MatchRecord) -> None:
    turns = _turns(record)
    moved = [turn for before, turn in pairwise(turns) if turn.position != before.position]
    OUT.print(f"\nFrom the replay of {record.match_id}:", highlight=False)
    for part in range(1, BOARDS_SHOWN + 1):
        turn = moved[len(moved) * part // (BOARDS_SHOWN + 1)]
        show_turn(turn)
        show_board(turn)


def _show_end(contest: Contest, record: MatchRecord) -> None:
    turns = _turns(record)
    OUT.print(f"\nThe end of {contest.title}, {record.match_id}:", highlight=False)
    show_board(turns[-1])
    OUT.print(f"Result: {turns[-1].what}\n", markup=False, highlight=False, soft_wrap=True)


def _show_leaders(leaders: Mapping[str, Sequence[rating_pb.Rating]], names: Mapping[str, str]) -> None:
    for pool, ratings in leaders.items():
        if not ratings:
            continue
        show_ratings(ratings, pool)
        for player in (rating.player for rating in ratings if rating.player in names):
            OUT.print(f"Only a file here says: {player} is {names[player]}", markup=False, highlight=False)
        OUT.print()
