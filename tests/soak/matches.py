"""Many bot matches at once, of all games, through real services to their ends; each is audited.

After each round the memory of every process is told: of the services what is resident at rest and the most it was
meanwhile. The store keeps every event, so it grows with what it is given.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from tests.e2e.play import audited
from tests.e2e.suite import Suite

from gammon.match.v1 import settings_pb2
from gammon.rules.v1 import settings_pb2 as rules_pb2
from gammon_audit.report import Verdict
from gammon_bots.player import play_match
from gammon_client.calls import Patience, open_channel
from gammon_client.match_client import MatchClient

MIB = 1024
SEATS = 4
CHANNELS = 8
# At rest: what the services let go of after a round, they have let go of by then.
REST_S = 8.0
PATIENCE = Patience(deadline_s=120.0, budget_s=600.0)
# Every game, with each number of seats it is played with, and the quick set-up of Backgammon; one game each.
USUAL, QUICK = rules_pb2.SETUP_UNSPECIFIED, rules_pb2.SETUP_HYPERGAMMON
CONTESTS = (
    (rules_pb2.GAME_BACKGAMMON, 2, USUAL),
    (rules_pb2.GAME_BACKGAMMON, 2, QUICK),
    (rules_pb2.GAME_CATCHGAMMON, 2, USUAL),
    (rules_pb2.GAME_TRACKGAMMON, 2, USUAL),
    (rules_pb2.GAME_BACKGAMMON, 2, QUICK),
    (rules_pb2.GAME_RUNGAMMON, 2, USUAL),
    (rules_pb2.GAME_TRACKGAMMON, 3, USUAL),
    (rules_pb2.GAME_TRACKGAMMON, 4, USUAL),
)


@dataclass
class Round:
    """What a round came to. Memory in KiB: resident at rest, and the most of the round, by process."""

    events: int = 0
    seconds: float = 0.0
    verdicts: Counter[str] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)
    resident: dict[str, int] = field(default_factory=dict)
    peak: dict[str, int] = field(default_factory=dict)


def contest(number: int) -> settings_pb2.MatchSettings:
    """The settings of a match, the games in turn."""
    game, seats, setup = CONTESTS[number % len(CONTESTS)]
    settings = settings_pb2.MatchSettings()
    settings.rules.game, settings.rules.seats, settings.rules.setup = game, seats, setup
    settings.rules.session.games = 1
    return settings


async def one_match(clients: Sequence[MatchClient], number: int) -> str:
    """Plays one match between the first clients to its end, and gives its id."""
    settings = contest(number)
    match = await clients[0].create_match(settings)
    players = dict(enumerate(islice(clients, settings.rules.seats)))
    for client in players.values():
        await client.take_seat(match)
    await play_match(players, match.match_id, look_again_s=1.0)
    return match.match_id


async def one_round(suite: Suite, count: int, progress: Progress) -> Round:
    """Plays so many matches at once, then audits each."""
    done = Round()
    async with AsyncExitStack() as stack:
        tables = []
        for number in range(CHANNELS):
            channel = await stack.enter_async_context(open_channel(suite.target()))
            players = (f"player-{number}-{seat}" for seat in range(SEATS))
            tables.append([MatchClient(channel, suite.token(name, "player"), PATIENCE) for name in players])
        playing = progress.add_task("played", total=count)
        started = time.perf_counter()
        ids = []
        for played in asyncio.as_completed([one_match(tables[n % CHANNELS], n) for n in range(count)]):
            ids.append(await played)
            progress.advance(playing)
        done.seconds = time.perf_counter() - started
        auditing = progress.add_task("audited", total=count)
        auditor = MatchClient(tables[0][0].channel, suite.token("auditor", "auditor"), PATIENCE)
        for match_id in ids:
            report = await audited(auditor, match_id)
            # What was listed for it left its receipt.
            done.events += (await auditor.get_match(match_id)).head.sequence
            failing = [check for check in report.checks if check.verdict is Verdict.FAIL]
            done.verdicts["FAIL" if failing else "no FAIL"] += 1
            done.failed += [f"{match_id}: {check.name}: {check.detail}" for check in failing]
            progress.advance(auditing)
    return done


def memory(pid: int) -> tuple[int, int]:
    """Resident and most resident memory of a process, in KiB; the most is counted anew from now."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    Path(f"/proc/{pid}/clear_refs").write_text("5")
    return int(status["VmRSS"].split()[0]), int(status["VmHWM"].split()[0])


def pids(suite: Suite) -> dict[str, int]:
    """The processes, this one included."""
    found = {role: process.pid for role, process in suite.processes.items()}
    return found | {"store": suite.store_pid, "bots": os.getpid()}


def told(rounds: Sequence[Round]) -> Table:
    """The rounds as a table."""
    names = list(rounds[0].resident)
    table = Table("round", "events", "s", "events/s", *(f"{name}\nMiB (most)" for name in names))
    for number, each in enumerate(rounds, 1):
        sizes = (f"{each.resident[name] / MIB:.1f} ({each.peak[name] / MIB:.1f})" for name in names)
        rate = each.events / each.seconds
        table.add_row(str(number), str(each.events), f"{each.seconds:.1f}", f"{rate:.0f}", *sizes)
    return table


async def soak(count: int, rounds: int, appendfsync: str, console: Console) -> bool:
    """Plays the rounds. Whether nothing failed, and the services have no more memory than 5 % above the second."""
    with tempfile.TemporaryDirectory(prefix="gammon-soak-") as directory:
        suite = Suite(Path(directory), appendfsync=appendfsync).start()
        finished: list[Round] = []
        try:
            await suite.healthy()
            for pid in pids(suite).values():
                memory(pid)
            for number in range(1, rounds + 1):
                columns = (TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
                with Progress(*columns, console=console) as progress:
                    done = await one_round(suite, count, progress)
                gc.collect()
                await asyncio.sleep(REST_S)
                for name, pid in pids(suite).items():
                    done.resident[name], done.peak[name] = memory(pid)
                finished.append(done)
                console.print(f"round {number}: {dict(done.verdicts)}", *done.failed[:5])
                console.print(told(finished))
        finally:
            suite.stop()
    return verdict(finished, console)


def verdict(finished: Sequence[Round], console: Console) -> bool:
    """What the rounds show."""
    failures = sum(each.verdicts["FAIL"] for each in finished)
    grown = []
    if len(finished) > 2:
        for name in ("rules", "match", "rating"):
            ratio = finished[-1].resident[name] / finished[1].resident[name]
            console.print(f"{name}: {ratio:.3f} of what it was after the second round")
            if ratio > 1.05:
                grown.append(name)
    console.print(f"{failures} audits failed; grown beyond 5 %: {', '.join(grown) or 'none'}")
    return not failures and not grown


def add_options(parser: argparse.ArgumentParser) -> None:
    """What can be said of a run."""
    parser.add_argument("--matches", type=int, default=1000, help="how many at once (default 1000)")
    parser.add_argument("--rounds", type=int, default=10, help="how often (default 10)")
    parser.add_argument("--appendfsync", choices=("always", "everysec"), default="always")


def main(options: argparse.Namespace) -> bool:
    """Runs it. Whether all was as it must be."""
    return asyncio.run(soak(options.matches, options.rounds, options.appendfsync, Console(soft_wrap=True)))
