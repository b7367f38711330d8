"""A person at the table: told what happens, asked what to do, until the match is closed or they leave."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic_ns

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import action_pb2
from gammon_bots.player import Table
from gammon_cli.play import page
from gammon_cli.play.commands import Back, Look, LookAtPlays, Price, Quit, Send, TimeWord, Wrong, read_command
from gammon_cli.play.footer import Footer
from gammon_cli.play.keyboard import forget_begun_line
from gammon_cli.play.listing import listing
from gammon_cli.play.news import Batch, Line
from gammon_cli.play.seating import Seated
from gammon_cli.play.service import ForService, ask_service
from gammon_cli.play.sight import Sight, is_asked, is_forced, possible, question, sight_of
from gammon_cli.play.telling import Heard, hear, name_of, price, result, with_letters
from gammon_cli.play.time_told import clocks, footer, leaving_words, pause_words, time_rows
from gammon_cli.play.times import Times, after
from gammon_client.errors import Closed, Conflict, LedgerError, Unavailable
from gammon_engine.referee import summary
from gammon_engine.referee.state import Phase, State

# What the service does by itself comes right behind what it follows.
SERVICE_ACTS_WITHIN_S = 1.0
LOOK_S = 0.01
# A board is drawn once the game on it has begun.
_BEFORE_A_GAME = (Phase.OPENING, Phase.CHOOSING)
_BACK_ROWS = (
    ("back", "propose to take your last act back"),
    ("back yes", "agree to what another proposes; back no does not"),
)


@dataclass(slots=True)
class Person:
    """Somebody at a seat.

    `table`: as far as they have been told of it. `sent`: no question is asked before this sequence has been told.
    `asked`: whether a question stands open on the screen. `auto`: the service acts where nothing is to be decided.
    `mine`: the batch ends before each of the seat's own acts that stand. `footer`: the line that shows the times, if
    the terminal has one. `been`, `gone`: the seats of other people that watched, and those of them that do not now.
    `said`: what was told of play, by the batch end before it. `waits`: what is waited for, as it was said last.
    """

    seated: Seated
    table: Table
    times: Times
    players: Mapping[int, str]
    auto: bool
    footer: Footer | None = None
    inbox: asyncio.Queue[Batch | Line | Quit | pb.Presence | Exception] = field(default_factory=asyncio.Queue)
    ahead: deque[Line] = field(default_factory=deque)
    sight: Sight | None = None
    drawn: State | None = None
    sent: int = 0
    asked: bool = False
    mine: list[int] = field(default_factory=list)
    said: dict[int, str] = field(default_factory=dict)
    waits: str = ""
    been: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()

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
                case pb.Presence():
                    self._meet(news)
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
        if self.asked or self.table.seen.sequence < self.sent:
            return
        if self.sight is None:
            is_open = self.seated.seats - len(list(filter(None, self.players.values())))
            self._wait(f"Waiting until {is_open} more seat{'s are' if is_open > 1 else ' is'} taken …")
            return
        if self.times.halt is not None:
            self._wait_for_the_end_of_a_pause()
            return
        if not is_asked(self.sight):
            acting = [seat for seat in self._acting() if seat not in self.seated.bots]
            if self.drawn is None and not self._bot_is_next():
                self._draw_if_new()
            self._wait(f"Waiting for {' and '.join(map(self._name, acting))} …" if acting else "")
            return
        if self.auto and is_forced(self.sight) and self.sight.state.phase is not Phase.OPENING:
            await self._leave_it_to_the_service()
            if not self.inbox.empty():
                return
        self._draw_if_new()
        if self.times.clock is not None and self.footer is None:
            page.show(f"Clock: {clocks(self.times, monotonic_ns())}", style="dim")
        page.show(question(self.sight), style="bold")
        self._prompt()

    def _wait_for_the_end_of_a_pause(self) -> None:
        told = pause_words(self.times, self.seated.seat)
        if self.times.halt is not None and self.times.halt.is_ended_by(self.seated.seat):
            page.show(told, style="bold")
            self._prompt()
        else:
            self._wait(told)

    async def _leave_it_to_the_service(self) -> None:
        """Waits for what the service does; where it does nothing the person is asked after all."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SERVICE_ACTS_WITHIN_S):
                while self.inbox.empty():
                    await asyncio.sleep(LOOK_S)

    def _wait(self, told: str) -> None:
        """Asks nothing until something happens, and says why, once."""
        if told and told != self.waits:
            page.show(told, style="dim")
        self.waits, self.sent = told, self.table.seen.sequence + 1

    def _prompt(self) -> None:
        page.prompt(self.seated.seat)
        self.asked, self.waits = True, ""

    def _tell(self, heard: Heard) -> None:
        if self.asked:
            # What was begun to be typed was about what stood before, and would only come before the next word.
            forget_begun_line(sys.stdin.fileno())
            page.show("")
        end, before = self.table.seen.sequence, self.table.state
        self.table, self.asked = heard.table, False
        self.times = after(self.times, heard.envelopes, monotonic_ns())
        self.players = {**self.players, **heard.seated}
        self.show_times()
        self._look()
        mine = heard.seat == self.seated.seat
        if heard.back_to is not None:
            self.mine = [earlier for earlier in self.mine if earlier < heard.back_to]
        elif mine and not heard.by_service and before != heard.table.state:
            self.mine.append(end)
        if heard.what:
            who = "" if heard.seat is None else f"{self._name(heard.seat)}: "
            page.show(who + heard.what, style="dim" if mine else "")
            if before != heard.table.state:
                self.said[end] = who + heard.what
        if heard.proposes_to is not None and heard.proposes_to in self.said:
            page.show(f"  It would undo, with all since: {self.said[heard.proposes_to]}", style="dim")
        if heard.proposes_to is not None and not mine:
            page.show("back yes agrees, back no does not, and to play on is no.", style="bold")
        if self.times.asking:
            asks = self.seated.seat in self.times.asking
            page.show("resume withdraws that." if asks else "pause agrees to it.", style="bold")
        if heard.ended is not None:
            self._draw(heard.ended)
            self.drawn = None
        elif before and self.sight and before.position != self.sight.state.position and not self._bot_is_next():
            self._draw(self.sight.state)

    def _meet(self, presence: pb.Presence) -> None:
        """Notes who comes and goes; where that does not stand in the footer, it is said."""
        here = frozenset(presence.seats) - {self.seated.seat} - self.seated.bots.keys()
        gone, before = (self.been | here) - here, self.gone
        self.been, self.gone = self.been | here, gone
        if self.footer is None:
            for seat in sorted(gone ^ before):
                page.show(f"{self._name(seat)} is {'gone' if seat in gone else 'back'}.", style="dim")
        self.show_times()

    def ask_again(self) -> None:
        """Shows the prompt of an open question anew: a shell wrote behind it while this process was stopped."""
        if self.asked:
            page.prompt(self.seated.seat)

    def show_times(self) -> None:
        """Brings the last line of the terminal up to date."""
        if self.footer is not None:
            self.footer.show(footer(self.times, self.seated.seat, monotonic_ns(), self.players, self.gone))

    def _acting(self) -> tuple[int, ...]:
        return () if self.sight is None else summary(self.sight.state).seats_to_act

    def _bot_is_next(self) -> bool:
        """Whether a bot answers at once: the board after that is the one to look at."""
        return not self.seated.bots.keys().isdisjoint(self._acting())

    def _name(self, seat: int) -> str:
        return name_of(seat, self.seated.seat, self.players)

    def _draw(self, state: State) -> None:
        page.draw(self.table.settings, state, self.seated.seat)
        self.drawn, self.waits = state, ""

    def _draw_if_new(self) -> None:
        state = self.table.state
        if state is None or state.phase in _BEFORE_A_GAME:
            return
        known = self.drawn
        if known is None or (known.position, known.cube) != (state.position, state.cube):
            self._draw(state)

    async def _obey(self, text: str) -> bool:
        """Does what was typed; False: leave."""
        said = read_command(text, self.sight)
        if self.times.halt is not None and isinstance(said, Send | Wrong):
            said = Wrong(pause_words(self.times, self.seated.seat))
        match said:
            case Quit():
                return False
            case Back(None) if not self.mine:
                page.complain("nothing stands that you did since you sat down")
            case Send() | Back() | TimeWord():
                await self._store(said)
                return True
            case Price(action):
                await self._tell_price(action)
            case Wrong() as wrong:
                page.complain(str(wrong))
            case Look.BOARD if self.sight is not None:
                self._draw(self.sight.state)
                if self.asked and self.times.halt is None:
                    page.show(question(self.sight), style="bold")
            case Look():
                page.table(self._help())
            case LookAtPlays() as wanted if self.sight is not None:
                listed = listing(self.sight, wanted, page.WIDTH, page.height())
                page.complain(str(listed)) if isinstance(listed, Wrong) else page.show("\n".join(listed))
        if self.asked:
            self._prompt()
        return True

    def _help(self) -> list[tuple[str, str]]:
        terms = self.times.terms
        back = _BACK_ROWS if terms.take_backs else ()
        now = () if self.sight is None else (*possible(self.sight), *back, *time_rows(terms))
        leaves = f"leave the terminal; {leaving_words(terms)}"
        return [*now, ("b", "the board"), ("h", "this help"), ("q", leaves)]

    async def _tell_price(self, action: action_pb2.Action) -> None:
        try:
            preview = await self.seated.me.preview_act(self.seated.match_id, self.seated.seat, action)
        except Unavailable:
            raise
        except LedgerError as refused:
            page.complain(refused.message)
        else:
            page.show(price(self.table.settings, preview))

    async def _store(self, said: ForService) -> None:
        self.asked = False
        seen = self.table.seen
        try:
            done = await ask_service(self.seated, said, seen, last_own=self.mine[-1] if self.mine else None)
        except (Conflict, Closed):
            page.show("Somebody else was quicker.", style="dim")
            self.sent = seen.sequence + 1
        except Unavailable:
            raise
        except LedgerError as refused:
            page.complain(with_letters(refused.message))
        else:
            self.sent = done.events[-1].sequence
