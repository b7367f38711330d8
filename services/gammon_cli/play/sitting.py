"""Sitting down at a match: what brings a person the news of the table, and the bots with them, until they leave."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Coroutine
from time import monotonic_ns

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_bots.player import play_match, read_table
from gammon_cli.play import page
from gammon_cli.play.commands import Quit
from gammon_cli.play.footer import Footer, footer_of_terminal
from gammon_cli.play.keyboard import read_lines
from gammon_cli.play.news import Line, whole_batches
from gammon_cli.play.seating import Seated
from gammon_cli.play.table import Person
from gammon_cli.play.time_told import agreed, is_timed
from gammon_cli.play.times import times_of
from gammon_client.errors import LedgerError

BOT_LOOKS_AGAIN_S = 0.2
# Often enough that no second is shown late.
FOOTER_EVERY_S = 0.1
LEAVING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


async def sit_down(seated: Seated, *, auto: bool | None) -> bool:
    """Plays a seat from the terminal, and the bots with it: True at the end of the match, False if the person leaves.

    `auto`: what the service may do for the seat from now on, all or nothing; None: as was said before.

    Raises:
        LedgerError: the service does not answer any more, or refuses.
    """
    match = await seated.me.get_match(seated.match_id)
    if auto is not None and match.status != events_pb2.MATCH_STATUS_CLOSED:
        wanted = settings_pb2.SeatPreferences(roll_without_choice=auto, play_forced=auto)
        await seated.me.set_preferences(seated.match_id, seated.seat, wanted)
        match = await seated.me.get_match(seated.match_id)
    if told := agreed(match.settings):
        page.show(told)
    person = _person(seated, match, auto=bool(auto))
    loop = asyncio.get_running_loop()

    def deliver(text: str | None) -> None:
        # What is typed after the end is for nobody.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(person.inbox.put_nowait, Line(text))

    read_lines(sys.stdin.fileno(), deliver)
    # They stay until the end: a second one must not end this process before it has stopped a suite of its own.
    for number in LEAVING:
        loop.add_signal_handler(number, person.inbox.put_nowait, Quit())
    loop.add_signal_handler(signal.SIGCONT, person.ask_again)
    tasks = [asyncio.create_task(_told(person, _watch(person)))]
    if seated.bots:
        playing = play_match(seated.bots, seated.match_id, look_again_s=BOT_LOOKS_AGAIN_S)
        tasks.append(asyncio.create_task(_told(person, playing)))
    if person.footer is not None:
        tasks.append(asyncio.create_task(_show_times(person, person.footer)))
    try:
        return await person.stay()
    finally:
        for task in tasks:
            task.cancel()
        if person.footer is not None:
            person.footer.close()


def _person(seated: Seated, match: pb.Match, *, auto: bool) -> Person:
    players = {seat: own.player for seat, own in enumerate(match.seats)}
    # Alone with bots and without a clock there is nothing to show in it.
    is_shown = is_timed(match.settings) or len(seated.bots) + 1 < seated.seats
    footer = footer_of_terminal() if is_shown else None
    return Person(seated, read_table(match), times_of(match, monotonic_ns()), players, auto, footer)


async def _show_times(person: Person, footer: Footer) -> None:
    """Keeps the last line of the terminal up to date, until it is cancelled."""
    loop = asyncio.get_running_loop()

    def stop() -> None:
        # The shell that takes over wants the whole terminal; fg goes on behind the signal.
        footer.close()
        os.kill(os.getpid(), signal.SIGSTOP)
        footer.open()

    footer.open()
    loop.add_signal_handler(signal.SIGTSTP, stop)
    loop.add_signal_handler(signal.SIGWINCH, footer.open)
    while True:
        person.show_times()
        await asyncio.sleep(FOOTER_EVERY_S)


async def _watch(person: Person) -> None:
    """Brings every batch that is stored after what the person knows."""
    seated = person.seated
    seen = person.table.seen.sequence
    async for batch in whole_batches(seated.me, seated.match_id, seen, person.inbox.put_nowait):
        person.inbox.put_nowait(batch)


async def _told(person: Person, doing: Coroutine[None, None, object]) -> None:
    """Does something beside the person, who is told why it fails."""
    try:
        await doing
    except (LedgerError, ValueError) as error:
        person.inbox.put_nowait(error)
