"""All measurements, with medians, and ratios to ceilings measured in the same run where those are at hand.

`make bench`, or `python -m tests.bench [plays] [appends] [moves] [memory] [cold]`.
"""

import re
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table
from tests.bench import appends, cold_load, gnubg_nn, legal_plays, memory, moves

from gammon_engine.settings import GameId

CEILING = Path(__file__).parents[3] / "shared" / "bench" / "movepath.py"
CEILING_PATH = "rules over streams"
ROUNDS = 3
OUT = Console()


def bench_plays() -> None:
    """Legal plays, one core, plain Python: Backgammon against its aims, every game against it, it against gnubg-nn."""
    backgammon = legal_plays.measure_backgammon()
    table = Table("legal plays of Backgammon", "measured", "aim", "ratio")
    for name, measured, aim in (
        ("non-doubles per s", backgammon.non_doubles_per_s, 100_000),
        ("doubles per s", backgammon.doubles_per_s, 30_000),
    ):
        table.add_row(name, f"{measured:,.0f}", f"{aim:,}", f"{measured / aim:.2f}")
    OUT.print(table)

    per_result = "ns a result (ratio, aim 2)"
    table = Table("random play", "non-doubles per s", per_result, "doubles per s", per_result, "validate, µs (aim 20)")
    speeds = legal_plays.measure(legal_plays.games())
    first = speeds[GameId.BACKGAMMON.value]
    for name, speed in speeds.items():
        table.add_row(
            name,
            f"{speed.non_doubles_per_s:,.0f}",
            f"{speed.non_doubles_ns:,.0f} ({speed.non_doubles_ns / first.non_doubles_ns:.2f})",
            f"{speed.doubles_per_s:,.0f}",
            f"{speed.doubles_ns:,.0f} ({speed.doubles_ns / first.doubles_ns:.2f})",
            f"{speed.validate_us:.1f}",
        )
    OUT.print(table)
    peer = gnubg_nn.measure()
    table = Table("against gnubg-nn", "ours", "gnubg-nn", "ratio")
    for name, ours, key in (
        ("non-doubles per s", backgammon.non_doubles_per_s, "non_doubles_per_s"),
        ("doubles per s", backgammon.doubles_per_s, "doubles_per_s"),
    ):
        theirs = f"{peer[key]:,.0f}" if peer else "make peers brings it"
        table.add_row(name, f"{ours:,.0f}", theirs, f"{ours / peer[key]:.3f}" if peer else "")
    OUT.print(table)


def bench_appends() -> None:
    """Appends of one event to a real server."""
    table = Table("appends", "clients", "per s (median of 3)")
    for fsync in ("always", "everysec"):
        for clients, rate in appends.measure(appendfsync=fsync).items():
            table.add_row(fsync, str(clients), f"{rate:,.0f}")
    OUT.print(table)


def bench_moves() -> None:
    """Acts through the services, and the same path without any game, in turns."""
    rates: dict[int, list[float]] = {clients: [] for clients in moves.CLIENTS}
    p99: dict[int, list[float]] = {clients: [] for clients in moves.CLIENTS}
    ceilings: dict[int, list[float]] = {clients: [] for clients in moves.CLIENTS}
    for _ in range(ROUNDS):
        for name, measured in moves.measure().items():
            rates[int(name)].append(measured["per_s"])
            p99[int(name)].append(measured["p99_ms"])
        for clients, rate in _ceiling().items():
            ceilings[clients].append(rate)
    table = Table("move commands, everysec", "per s", "p99 ms", "ceiling per s", "ratio (aim 0.75)")
    for clients in moves.CLIENTS:
        rate = statistics.median(rates[clients])
        ceiling = statistics.median(ceilings[clients]) if ceilings[clients] else None
        table.add_row(
            f"{clients} clients",
            f"{rate:,.0f}",
            f"{statistics.median(p99[clients]):.1f}",
            f"{ceiling:,.0f}" if ceiling else "not at hand",
            f"{rate / ceiling:.2f}" if ceiling else "",
        )
    OUT.print(table)


def _ceiling() -> dict[int, float]:
    """Acts a second by number of clients of the path without a game; empty where its benchmark is not at hand."""
    if not CEILING.exists():
        return {}
    command = [sys.executable, str(CEILING), "bench", "--repeats", "1", "--only", CEILING_PATH]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=CEILING.parent)
    rows = re.findall(r"uvloop c=(\d+) \| ([\d,]+) \|", done.stdout)
    return {int(clients): float(rate.replace(",", "")) for clients, rate in rows}


def bench_cold_load() -> None:
    """A match read by a process that does not know it."""
    loads = cold_load.measure()
    table = Table("cold load", "ms", "ratio (aim 1.2)")
    for events, ms in loads.items():
        table.add_row(f"{events:,} events", f"{ms:.2f}", f"{ms / loads[cold_load.EVENTS[0]]:.2f}")
    OUT.print(table)


def bench_memory() -> None:
    """What matches take of the store's memory, every key counted."""
    cases = {
        "open match": (memory.measure(events=1), 6 * 1024),
        "closed match": (memory.measure(events=100), 460),
        "bot match to 3, rated": (memory.measure_bot_matches(), 460),
    }
    table = Table("memory, B an event", *cases)
    found = [footprint for footprint, _ in cases.values()]
    table.add_row("events of a match", *(f"{each.events:,.0f}" for each in found))
    table.add_row("body, mean", *(f"{each.body:,.0f}" for each in found), end_section=True)
    for kind in memory.KINDS:
        table.add_row(f"key: {kind}", *(f"{each.keys[kind]:,.1f}" for each in found))
    table.add_row("all keys", *(f"{each.in_all:,.0f}" for each in found))
    table.add_row("aim", *(f"{aim:,}" for _, aim in cases.values()))
    table.add_row("server's memory in use", *(f"{each.used:,.0f}" for each in found))
    OUT.print(table)


BENCHES: dict[str, Callable[[], None]] = {
    "plays": bench_plays,
    "appends": bench_appends,
    "moves": bench_moves,
    "memory": bench_memory,
    "cold": bench_cold_load,
}


def main() -> None:
    """Runs what is named, or all."""
    for name in sys.argv[1:] or BENCHES:
        BENCHES[name]()


if __name__ == "__main__":
    main()
