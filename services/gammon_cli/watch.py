"""`gammon watch`: the live board of a match, until it is closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import chain
from textwrap import wrap
from typing import Annotated

import typer
from rich.console import Group
from rich.live import Live
from rich.text import Text

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_audit.record import MatchRecord, RawEvent
from gammon_audit.replay import Turn, replay
from gammon_cli.attendance import comings_and_goings, there
from gammon_cli.endpoints import Endpoints, read_endpoints
from gammon_cli.replay import check_seat, show_board, show_turn
from gammon_cli.screen import ERR, OUT, EndpointsOption, JsonOption, TlsCaOption, print_json, told
from gammon_cli.stored_match import match_service

LINES = 8
INDENT = " " * 7
GATHER_S = 0.05


def watch(
    match: Annotated[str, typer.Argument(help="Match id.")],
    seat: Annotated[int, typer.Option(min=0, max=3, help="The seat that looks at the board.")] = 0,
    after: Annotated[int, typer.Option(min=0, help="The last sequence seen; 0: from the start.")] = 0,
    endpoints: EndpointsOption = None,
    tls_ca: TlsCaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Watch a match live and who is there; with --json one line a turn. Ends with the match, or with Ctrl-C."""
    with told():
        asyncio.run(_watch(read_endpoints(endpoints, tls_ca), match, seat, after, as_json))


async def _watch(endpoints: Endpoints, match_id: str, seat: int, after: int, as_json: bool) -> None:
    if as_json:
        async for turn in _turns(endpoints, match_id, after):
            print_json(turn.to_json())
    elif OUT.is_terminal:
        await _live(endpoints, match_id, seat, after)
    else:
        drawn = ""
        async for turn in _turns(endpoints, match_id, after, _Door()):
            check_seat(turn, seat)
            show_turn(turn)
            if turn.position != drawn:
                show_board(turn, seat)
            drawn = turn.position


class _Door:
    """Says beside the turns who comes and goes."""

    def __init__(self) -> None:
        self._before = pb.Presence()

    def __call__(self, presence: pb.Presence) -> None:
        for change in comings_and_goings(self._before, presence):
            ERR.print(f"       {change}", style="dim", highlight=False)
        self._before = presence


async def _live(endpoints: Endpoints, match_id: str, seat: int, after: int) -> None:
    with Live(console=OUT, auto_refresh=False) as live:
        screen = _Screen(live)
        async for turn in _turns(endpoints, match_id, after, screen.meet):
            check_seat(turn, seat)
            screen.show(turn, seat)


class _Screen:
    """The board with who is there, and below it the last turns."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._title, self._board, self._there = "", "", ""
        self._said: list[str] = []

    def show(self, turn: Turn, seat: int) -> None:
        """Shows a turn as a seat sees it."""
        who = "" if turn.seat is None else f"seat {turn.seat}: "
        self._said = [*self._said, f"{turn.sequence:>5}  {who}{turn.what}"][-LINES:]
        self._title = f" {turn.header()}"
        self._board = turn.board(seat)
        self._draw()

    def meet(self, presence: pb.Presence) -> None:
        """Shows who is there."""
        self._there = " " + there(presence)
        self._draw()

    def _draw(self) -> None:
        head = Text(self._title, style="bold"), Text(self._there, style="dim")
        rest = fitting(self._board, self._said, OUT.width, OUT.height - len(head))
        self._live.update(Group(*head, Text("\n".join(rest))), refresh=True)


def fitting(board: str, said: Sequence[str], width: int, height: int) -> list[str]:
    """The lines of a board and of as many of the last turns as fit below it.

    Where not even the last one does, the first lines of the board give way to it.
    """
    *before, last = [wrap(turn, width, subsequent_indent=INDENT) for turn in said] or [[]]
    told = [*chain.from_iterable(before), *last]
    drawn = board.splitlines()
    told = told[-max(height - len(drawn), len(last), 1) :]
    return [*drawn[-max(height - len(told), 1) :], *told]


async def _turns(
    endpoints: Endpoints, match_id: str, after: int, on_presence: Callable[[pb.Presence], None] = lambda _: None
) -> AsyncIterator[Turn]:
    """The turns of a match as they happen, judged from its first event on; shown are those after a sequence."""
    events: list[RawEvent] = []
    news, shown = asyncio.Event(), after
    async with match_service(endpoints) as client:

        async def collect() -> None:
            try:
                async for event in client.watch_match(match_id, on_presence=on_presence):
                    events.append(RawEvent(event.sequence, event.envelope, event.hash))
                    news.set()
            finally:
                news.set()

        collecting = asyncio.create_task(collect())
        try:
            while True:
                await news.wait()
                # What comes close together is replayed together.
                await asyncio.sleep(0 if collecting.done() else GATHER_S)
                news.clear()
                ended = collecting.done()
                for turn in replay(_whole_batches(match_id, events)):
                    if isinstance(turn, Turn) and turn.sequence > shown:
                        shown = turn.sequence
                        yield turn
                if ended:
                    collecting.result()
                    return
        finally:
            collecting.cancel()


def _whole_batches(match_id: str, events: list[RawEvent]) -> MatchRecord:
    whole = len(events)
    while whole and not events_pb2.Envelope.FromString(events[whole - 1].envelope).HasField("batch_end"):
        whole -= 1
    last = events[whole - 1] if whole else RawEvent(0, b"", b"")
    return MatchRecord(match_id, tuple(events[:whole]), last.sequence, last.hash)
