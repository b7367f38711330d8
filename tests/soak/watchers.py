"""One match before a thousand watchers, slow and reconnecting ones among them: who sees what, and how soon.

Every watcher must see every event once and in order, whatever happens to it; no fast one is ever cut off, and every
slow one is at least once. Times are from an event's record time to the moment that a fast watcher has it.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from array import array
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from tests.e2e.play import backgammon, clients
from tests.e2e.suite import Suite
from tests.soak.crowd import Outcome, Plan
from tests.soak.processes import cpu_s, resident_mb

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_bots.decisions import decide
from gammon_bots.player import after_batch, next_seat, read_table
from gammon_client.match_client import MatchClient

OUT = Console(soft_wrap=True)
POINTS = 25
ENDS_WITHIN_S = 300.0


@dataclass(frozen=True, slots=True)
class Show:
    """What is to be shown. `acts_per_s`: the pace of the players; `processes`: that the watchers are spread over."""

    watchers: int = 1000
    slow: int = 100
    reconnecting: int = 10
    seconds: float = 120.0
    acts_per_s: float = 2.0
    pause_s: float = 20.0
    processes: int = 2


@dataclass(frozen=True, slots=True)
class Figures:
    """What came out. Times in ms; memory in MB of the match service before, with and after the watchers."""

    events: int
    acts: int
    delivered: int
    reconnects: int
    wrong: list[str]
    cut_off: dict[str, int]
    latencies_ms: list[float]
    act_ms: list[float]
    memory_mb: tuple[float, float, float]
    busy: float

    def faults(self, show: Show) -> list[str]:
        """What is not as it must be."""
        found = [f"did not see every event once and in order: {name}" for name in self.wrong]
        found += [f"a fast watcher was cut off: {name}" for name in self.cut_off if not name.startswith("slow")]
        cut = sum(name.startswith("slow") for name in self.cut_off)
        if cut < show.slow:
            found.append(f"only {cut} of {show.slow} slow watchers were cut off")
        if self.delivered == 0 and show.watchers > show.slow:
            found.append("nothing was delivered while it was watched")
        return found


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the program."""
    usual = Show()
    parser.add_argument("--watchers", type=int, default=usual.watchers, help="all of them")
    parser.add_argument("--slow", type=int, default=usual.slow, help="of them: read with pauses")
    parser.add_argument("--reconnecting", type=int, default=usual.reconnecting, help="of them: come and go")
    parser.add_argument("--seconds", type=float, default=usual.seconds, help="how long the match is played")
    parser.add_argument("--acts-per-s", type=float, default=usual.acts_per_s, help="the pace of the players")
    parser.add_argument("--pause-s", type=float, default=usual.pause_s, help="of slow watchers, at least")
    parser.add_argument("--processes", type=int, default=usual.processes, help="that the watchers are spread over")


def main(options: argparse.Namespace) -> bool:
    """Runs it and prints what came out; whether all is as it must be."""
    show = Show(**{name: getattr(options, name) for name in Show.__slots__})
    with tempfile.TemporaryDirectory() as directory:
        suite = Suite(Path(directory))
        try:
            for role in ("store", "rules", "match"):
                suite.start_role(role)
            figures = asyncio.run(run(suite, show))
        finally:
            suite.stop()
    OUT.print(_table(show, figures))
    faults = figures.faults(show)
    for fault in faults:
        OUT.print(f"WRONG: {fault}", style="red")
    return not faults


async def run(suite: Suite, show: Show) -> Figures:
    """Plays one match before the crowd."""
    match_pid = suite.processes["match"].pid
    async with clients(suite, "alice", "bob") as players:
        match = await players[0].create_match(backgammon(POINTS))
        match_id = match.match_id
        for player in players:
            await player.take_seat(match)
        before_mb = resident_mb(match_pid)
        crowds = [await _start(plan) for plan in _plans(suite, show, match_id)]
        for crowd in crowds:
            assert crowd.stdout is not None
            assert (await crowd.stdout.readline()) == b"ready\n"
        OUT.log(f"{show.watchers} watchers are there")
        began, began_cpu = time.monotonic(), cpu_s(match_pid)
        act_ms = await _play(players, match_id, show)
        with_mb = resident_mb(match_pid)
        busy = (cpu_s(match_pid) - began_cpu) / (time.monotonic() - began)
        await players[0].get_match(match_id)
        await players[0].direct_match(match_id, pb.CloseRuling(), events_pb2.DIRECTOR_REASON_REQUEST)
        async with asyncio.timeout(ENDS_WITHIN_S):
            outcomes = [await _outcome(crowd) for crowd in crowds]
        events = (await players[0].get_match(match_id)).head.sequence
    await asyncio.sleep(2)
    latencies = array("q")
    for number in range(show.processes):
        latencies.frombytes((suite.directory / f"latencies-{number}").read_bytes())
    return Figures(
        events=events,
        acts=len(act_ms),
        delivered=sum(outcome.delivered for outcome in outcomes),
        reconnects=sum(outcome.reconnects for outcome in outcomes),
        wrong=[name for outcome in outcomes for name in outcome.wrong],
        cut_off=_cut_off(suite),
        latencies_ms=sorted(ns / 1e6 for ns in latencies),
        act_ms=sorted(act_ms),
        memory_mb=(before_mb, with_mb, resident_mb(match_pid)),
        busy=busy,
    )


def _plans(suite: Suite, show: Show, match_id: str) -> list[Plan]:
    def tokens(kind: str, count: int, share: int) -> list[str]:
        numbers = range(share, count, show.processes)
        return [suite.token(f"{kind}-{number}", "spectator") for number in numbers]

    return [
        Plan(
            target=suite.target(),
            match_id=match_id,
            fast=tokens("fast", show.watchers - show.slow - show.reconnecting, share),
            slow=tokens("slow", show.slow, share),
            reconnecting=tokens("reconnecting", show.reconnecting, share),
            auditor=suite.token("auditor", "auditor"),
            pause_s=show.pause_s,
            latencies=str(suite.directory / f"latencies-{share}"),
            seed=share,
        )
        for share in range(show.processes)
    ]


async def _start(plan: Plan) -> asyncio.subprocess.Process:
    command = (sys.executable, "-m", "tests.soak.crowd")
    pipe = asyncio.subprocess.PIPE
    crowd = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    assert crowd.stdin is not None
    crowd.stdin.write(json.dumps(asdict(plan)).encode())
    await crowd.stdin.drain()
    crowd.stdin.close()
    return crowd


async def _outcome(crowd: asyncio.subprocess.Process) -> Outcome:
    said, _ = await crowd.communicate()
    assert crowd.returncode == 0
    return Outcome(**json.loads(said))


async def _play(players: list[MatchClient], match_id: str, show: Show) -> list[float]:
    """Plays at the pace until the time is up or the match over; how long each act took, in ms."""
    took: list[float] = []
    table = read_table(await players[0].get_match(match_id))
    began = time.monotonic()
    while time.monotonic() - began < show.seconds:
        seat = next_seat(table)
        if seat is None or table.state is None:
            break
        await asyncio.sleep(max(0.0, began + len(took) / show.acts_per_s - time.monotonic()))
        asked = time.perf_counter()
        done = await players[seat].act(match_id, seat, decide(table.settings, table.state, seat), seen=table.seen)
        took.append((time.perf_counter() - asked) * 1000)
        table = after_batch(table, done.events)
        if len(took) % max(1, int(20 * show.acts_per_s)) == 0:
            OUT.log(f"{time.monotonic() - began:.0f} s, event {table.seen.sequence}")
    return took


def _cut_off(suite: Suite) -> dict[str, int]:
    """How many times each watcher was told that it was too slow, from the service's log."""
    lines = (json.loads(line) for line in (suite.directory / "log").read_text().splitlines() if line.startswith("{"))
    return dict(Counter(str(line["subject"]) for line in lines if line.get("reason") == "TOO_SLOW"))


def _table(show: Show, figures: Figures) -> Table:
    table = Table(
        "one match", "figure", title=f"{show.watchers} watchers, {show.slow} slow, {show.reconnecting} in pieces"
    )
    slow = [count for name, count in figures.cut_off.items() if name.startswith("slow")]
    before, during, after = figures.memory_mb
    for name, figure in (
        ("events, acts", f"{figures.events:,}, {figures.acts:,}"),
        ("events delivered to fast watchers as they came", f"{figures.delivered:,}"),
        ("from record to delivery, p50 p99 most", _percentiles(figures.latencies_ms)),
        ("an act of a player, p50 p99 most", _percentiles(figures.act_ms)),
        ("slow watchers cut off, times each", f"{len(slow)}, {min(slow, default=0)} to {max(slow, default=0)}"),
        ("reconnects", f"{figures.reconnects:,}"),
        ("watchers with a gap or a repeat", str(len(figures.wrong))),
        ("match service busy, of a core", f"{figures.busy:.0%}"),
        ("match service's memory before, with, after", f"{before:.0f} MB, {during:.0f} MB, {after:.0f} MB"),
    ):
        table.add_row(name, figure)
    return table


def _percentiles(ms: list[float]) -> str:
    if not ms:
        return "nothing measured"
    return "  ".join(f"{ms[min(len(ms) - 1, int(len(ms) * share))]:,.1f} ms" for share in (0.5, 0.99, 1.0))
