"""A person at the table: told what happens, asked what to do, until the match is closed or they leave."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections import deque
from collections.abc import Awaitable, Coroutine, Mapping
from dataclasses import dataclass, field

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import action_pb2
from gammon_bots.player import Table, play_match, read_table
from gammon_cli.play import page
from gammon_cli.play.commands import Back, Look, LookAtPlays, Price, Quit, Send, Wrong, read_command
from gammon_cli.play.keyboard import read_lines
from gammon_cli.play.listing import listing
from gammon_cli.play.news import Batch, Line, whole_batches
from gammon_cli.play.seating import Seated
from gammon_cli.play.sight import Sight, is_asked, is_forced, possible, question, sight_of
from gammon_cli.play.telling import Heard, hear, name_of, price, result
from gammon_client.errors import Closed, Conflict, LedgerError, Unavailable
from gammon_client.table_calls import AnswerBack, ProposeBack
from gammon_engine.referee import summary
from gammon_engine.referee.state import Phase, State

BOT_LOOKS_AGAIN_S = 0.2
# What the service does by itself comes right behind what it follows.
SERVICE_ACTS_WITHIN_S = 1.0
LOOK_S = 0.01
LEAVING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# A board is drawn once the game on it has begun.
_BEFORE_A_GAME = (Phase.OPENING, Phase.CHOOSING)


@dataclass(slots=True)
class Person:
    """Somebody at a seat.

    `table`: as far as they have been told of it. `sent`: no question is asked before this sequence has been told.
    `asked`: whether a question stands open on the screen. `auto`: the service acts where nothing is to be decided.
    `mine`: the batch ends before each of the seat's own acts that stand.
    """

    seated: Seated
    table: Table
    players: Mapping[int, str]
    auto: bool
    inbox: asyncio.Queue[Batch | Line | Quit | Exception] = field(default_factory=asyncio.Queue)
    ahead: deque[Line] = field(default_factory=deque)
    sight: Sight | None = None
    drawn: State | None = None
    sent: int = 0
    asked: bool = False
    mine: list[int] = field(default_factory=list)

    async def stay(self) -> bool:
        """Stays until the match is closed, then True, or until the person leaves.

        Raises:
            LedgerError: the service does not answer any more, or refuses to be watched.
        """
        at_keyboard = sys.stdin.isatty()
        self._look()
        while self.table.status != events_pb2.MATCH_STATUS_CLOSED:
            if self.inbox.empty():
                await self._ask()
            news = self.ahead.popleft() if self.asked and self.ahead else await self.inbox.get()
            match news:
                case Batch(events):
                    self._tell(hear(self.table, events))
                case Line() if not self.asked and not at_keyboard:
                    # What waits in a pipe is for the questions to come.
                    self.ahead.append(news)
                case Line(str(text)):
                    if not at_keyboard:
                        page.show(text)
                    if not await self._obey(text):
                        return False
                case Line(None) | Quit():
                    page.show("")
                    return False
                case Exception():
                    raise news
        if self.table.state is not None:
            page.show(result(self.table.settings, self.table.state, self.seated.seat, self.players), style="bold")
        return True

    def _look(self) -> None:
        state = self.table.state
        self.sight = None if state is None else sight_of(self.table.settings, state, self.seated.seat)

    async def _ask(self) -> None:
        """Asks what to do, once for each state."""
        if self.asked or self.sight is None or self.table.seen.sequence < self.sent:
            return
        if not is_asked(self.sight):
            self._wait()
            return
        if self.auto and is_forced(self.sight) and self.sight.state.phase is not Phase.OPENING:
            await self._leave_it_to_the_service()
            if not self.inbox.empty():
                return
        self._draw_if_new()
        page.show(question(self.sight), style="bold")
        self._prompt()

    async def _leave_it_to_the_service(self) -> None:
        """Waits for what the service does; where it does nothing the person is asked after all."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SERVICE_ACTS_WITHIN_S):
                while self.inbox.empty():
                    await asyncio.sleep(LOOK_S)

    def _wait(self) -> None:
        acting = [seat for seat in self._acting() if seat not in self.seated.bots]
        if acting:
            page.show(f"Waiting for {' and '.join(map(self._name, acting))} …", style="dim")
        self.sent = self.table.seen.sequence + 1

    def _prompt(self) -> None:
        page.prompt(self.seated.seat)
        self.asked = True

    def _tell(self, heard: Heard) -> None:
        if self.asked:
            page.show("")
        end, before = self.table.seen.sequence, self.table.state
        self.table, self.asked = heard.table, False
        self.players = {**self.players, **heard.seated}
        self._look()
        mine = heard.seat == self.seated.seat
        if heard.back_to is not None:
            self.mine = [earlier for earlier in self.mine if earlier < heard.back_to]
        elif mine and not heard.by_service and before != heard.table.state:
            self.mine.append(end)
        if heard.what:
            who = "" if heard.seat is None else f"{self._name(heard.seat)}: "
            page.show(who + heard.what, style="dim" if mine else "")
        if heard.proposes_back and not mine:
            page.show("back yes agrees, back no does not, and to play on is no.", style="bold")
        if heard.ended is not None:
            self._draw(heard.ended)
            self.drawn = None
        elif before and self.sight and before.position != self.sight.state.position:
            # A bot answers at once: the board after that is the one to look at.
            bot_is_next = not self.seated.bots.keys().isdisjoint(self._acting())
            if not (mine and bot_is_next):
                self._draw(self.sight.state)

    def _acting(self) -> tuple[int, ...]:
        return () if self.sight is None else summary(self.sight.state).seats_to_act

    def _name(self, seat: int) -> str:
        return name_of(seat, self.seated.seat, self.players)

    def _draw(self, state: State) -> None:
        page.draw(self.table.settings, state, self.seated.seat)
        self.drawn = state

    def _draw_if_new(self) -> None:
        state = self.table.state
        if state is None or state.phase in _BEFORE_A_GAME:
            return
        known = self.drawn
        if known is None or (known.position, known.cube) != (state.position, state.cube):
            self._draw(state)

    async def _obey(self, text: str) -> bool:
        """Does what was typed; False: leave."""
        match read_command(text, self.sight):
            case Quit():
                return False
            case Send(action):
                await self._send(action)
                return True
            case Back(None) if not self.mine:
                page.complain("nothing stands that you did since you sat down")
            case Back(accept):
                await self._speak_of_taking_back(accept)
                return True
            case Price(action):
                await self._tell_price(action)
            case Wrong() as wrong:
                page.complain(str(wrong))
            case Look.BOARD if self.table.state is not None:
                self._draw(self.table.state)
            case Look() if self.sight is not None:
                page.table(possible(self.sight))
            case LookAtPlays() as wanted if self.sight is not None:
                listed = listing(self.sight, wanted, page.WIDTH, page.height())
                page.complain(str(listed)) if isinstance(listed, Wrong) else page.show("\n".join(listed))
        if self.asked:
            self._prompt()
        return True

    async def _tell_price(self, action: action_pb2.Action) -> None:
        try:
            preview = await self.seated.me.preview_act(self.seated.match_id, self.seated.seat, action)
        except Unavailable:
            raise
        except LedgerError as refused:
            page.complain(refused.message)
        else:
            page.show(price(self.table.settings, preview))

    async def _speak_of_taking_back(self, accept: bool | None) -> None:
        word = ProposeBack(self.mine[-1]) if accept is None else AnswerBack(accept)
        me, at = self.seated.me, self.seated
        await self._store(me.take_back(at.match_id, at.seat, word, seen=self.table.seen))

    async def _send(self, action: action_pb2.Action) -> None:
        me, at = self.seated.me, self.seated
        await self._store(me.act(at.match_id, at.seat, action, seen=self.table.seen))

    async def _store(self, asked: Awaitable[pb.ActResponse | pb.TakeBackResponse]) -> None:
        self.asked = False
        seen = self.table.seen
        try:
            done = await asked
        except (Conflict, Closed):
            page.show("Somebody else was quicker.", style="dim")
            self.sent = seen.sequence + 1
        except Unavailable:
            raise
        except LedgerError as refused:
            page.complain(refused.message)
        else:
            self.sent = done.events[-1].sequence


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
    players = {seat: own.player for seat, own in enumerate(match.seats)}
    person = Person(seated, read_table(match), players, bool(auto))
    loop = asyncio.get_running_loop()

    def deliver(text: str | None) -> None:
        # What is typed after the end is for nobody.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(person.inbox.put_nowait, Line(text))

    read_lines(sys.stdin.fileno(), deliver)
    # They stay until the end: a second one must not end this process before it has stopped a suite of its own.
    for number in LEAVING:
        loop.add_signal_handler(number, person.inbox.put_nowait, Quit())
    tasks = [asyncio.create_task(_told(person, _watch(person)))]
    if seated.bots:
        playing = play_match(seated.bots, seated.match_id, look_again_s=BOT_LOOKS_AGAIN_S)
        tasks.append(asyncio.create_task(_told(person, playing)))
    try:
        return await person.stay()
    finally:
        for task in tasks:
            task.cancel()


async def _watch(person: Person) -> None:
    """Brings every batch that is stored after what the person knows."""
    seated = person.seated
    async for batch in whole_batches(seated.me, seated.match_id, person.table.seen.sequence):
        person.inbox.put_nowait(batch)


async def _told(person: Person, doing: Coroutine[None, None, object]) -> None:
    """Does something beside the person, who is told why it fails."""
    try:
        await doing
    except (LedgerError, ValueError) as error:
        person.inbox.put_nowait(error)
