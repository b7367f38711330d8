"""`gammon play`: a game at the terminal, against bots or people at other terminals."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from gammon.match.v1 import settings_pb2
from gammon_cli.play.clock import ClockName, WantedClock, read_span
from gammon_cli.play.seating import NoSeat, Seated, how_to_take, joined, new_match
from gammon_cli.play.sitting import sit_down
from gammon_cli.play.suite_at_hand import SuiteAtHand, suite_at_hand
from gammon_cli.play.time_told import is_timed
from gammon_cli.play.wanted import Wanted
from gammon_cli.screen import OUT, EndpointsOption, TlsCaOption, program, refuse, told
from gammon_cli.suite import LOG
from gammon_cli.up import directory
from gammon_drawing.marks import LETTERS
from gammon_engine.line_settings import read_number
from gammon_engine.violation import Fault
from gammon_shell.identity import REFERENCE

# The options that say who joins what; all others say what a new match is played by.
JOINING = frozenset({"join", "invitation", "seat", "auto", "player", "data", "endpoints", "tls_ca"})
# Until others have seen the end of a match whose suite ends with this terminal.
LAST_LOOK_S = 1.0


class Against(StrEnum):
    """Who sits at the other seats."""

    BOT = "bot"
    PEOPLE = "people"


def _span(text: str) -> int:
    try:
        return read_span(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def play(
    context: typer.Context,
    game: Annotated[
        str, typer.Argument(help="backgammon, catchgammon, rungammon, trackgammon, gammon (mixed), or a set-up.")
    ] = "",
    join: Annotated[str, typer.Option(help="Take a seat of this match instead, or your own again.")] = "",
    invitation: Annotated[str, typer.Option(help="With --join: an invitation to the seat.", metavar="TOKEN")] = "",
    seats: Annotated[int, typer.Option(help="How many play: 2, in Trackgammon up to 4.")] = 2,
    seat: Annotated[int | None, typer.Option(min=0, max=3, help="Your seat.", show_default="0, or any open")] = None,
    against: Annotated[Against, typer.Option(help="Who sits at the other seats.")] = Against.BOT,
    points: Annotated[
        int | None, typer.Option(min=1, help="A match to so many points.", show_default="3; 9 for gammon")
    ] = None,
    games: Annotated[int | None, typer.Option(min=1, help="A session of so many games, for points.")] = None,
    cube: Annotated[bool, typer.Option(help="Whether there is a doubling cube.")] = True,
    beavers: Annotated[bool, typer.Option(help="Sessions of two: whether one may beaver.")] = False,
    centres: Annotated[str | None, typer.Option(help="Trackgammon: four or two centre points on a track.")] = None,
    runner_release: Annotated[str | None, typer.Option(help="Rungammon: own or both.")] = None,
    take_backs: Annotated[bool, typer.Option("--take-backs", help="Acts may be taken back when all agree.")] = False,
    clock: Annotated[ClockName, typer.Option(help="What clock: with a delay, Fischer's, or days for a move.")] = (
        ClockName.NONE
    ),
    reserve: Annotated[
        int | None,
        typer.Option(parser=_span, metavar="TIME", help="What a seat has in all: 10m.", show_default="2m a point"),
    ] = None,
    per_move: Annotated[
        int | None,
        typer.Option(parser=_span, metavar="TIME", help="Delay, increment, or days.", show_default="12s, 10s, 3d"),
    ] = None,
    auto: Annotated[
        bool | None,
        typer.Option(
            "--auto/--no-auto",
            help="Let the service roll where you cannot double, and make your forced plays.",
            show_default="as you said before",
        ),
    ] = None,
    player: Annotated[str, typer.Option(help="Your reference in the record.", show_default="player:SEAT")] = "",
    data: Annotated[
        Path | None, typer.Option(help="Directory of a suite, started if none runs there. It keeps your matches.")
    ] = None,
    endpoints: EndpointsOption = None,
    tls_ca: TlsCaOption = None,
) -> None:
    """Play any of the games in the terminal, on the suite that runs here or else on one of its own.

    At the prompt ? lists your plays and h helps. q, Ctrl-C and Ctrl-D leave:
    the match stays as it is, but for its clock.
    """
    if bool(game) == bool(join):
        raise typer.BadParameter("name a game, or a match with --join", param_hint="GAME")
    if join:
        _refuse_terms(context)
    elif invitation:
        raise typer.BadParameter("is for a match that is there: say --join", param_hint="--invitation")
    if points is not None and games is not None:
        raise typer.BadParameter("a match or a session, not both", param_hint="--points and --games")
    if points is not None and beavers:
        raise typer.BadParameter("belongs to a session: say --games", param_hint="--beavers")
    if player and REFERENCE.fullmatch(player) is None:
        raise typer.BadParameter("1 to 64 of A-Z a-z 0-9 _ . : @ - are allowed", param_hint="--player")
    if clock is ClockName.NONE and (reserve, per_move) != (None, None):
        raise typer.BadParameter("belongs to a clock: say --clock", param_hint="--reserve and --per-move")
    timed = WantedClock(clock, reserve, per_move)
    wanted = Wanted(game.lower(), seats, points, games, cube, beavers, centres, runner_release, take_backs, timed)
    settings = None if join else _settings(wanted, seat or 0)

    async def run(place: Path) -> None:
        async with suite_at_hand(endpoints, tls_ca, data, place, may_start=not join or data is not None) as suite:
            sitting = (
                joined(suite, join, seat, player, invitation)
                if settings is None
                else new_match(suite, settings, seat or 0, player, bots=against is Against.BOT)
            )
            async with sitting as seated:
                _introduce(suite, seated)
                await _play(suite, seated, player, auto)

    with directory(data) as place, told(place / LOG):
        try:
            asyncio.run(run(place))
        except NoSeat as error:
            raise typer.BadParameter(str(error)) from None


def _refuse_terms(context: typer.Context) -> None:
    """What a match is played by was agreed when it was made: options that say so are no part of joining it."""
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name not in JOINING and source is not None and source.name == "COMMANDLINE":
            raise typer.BadParameter("belongs to a new match, and this one is there", param_hint=option.opts[0])


def _settings(wanted: Wanted, seat: int) -> settings_pb2.MatchSettings:
    """The settings, or the command ends with what the law has against them."""
    settings = wanted.settings()
    if isinstance(settings, Fault):
        refuse(settings)
    fault = read_number(seat, "seat", range(settings.rules.seats))
    if isinstance(fault, Fault):
        refuse(fault)
    return settings


def _introduce(suite: SuiteAtHand, seated: Seated) -> None:
    _say(f"Match {seated.match_id}. You are {LETTERS[seated.seat]}, seat {seated.seat}.")
    if seated.open_seats:
        _say(f"Open seats: {len(seated.open_seats)}. Whoever takes one types in another terminal:")
        for how in dict.fromkeys(how_to_take(seated.terms, seat) for seat in seated.open_seats):
            _say(f"  {program()} play --join {seated.match_id}{how}{suite.reached_by}")
    if suite.is_own and (seated.open_seats or suite.later is None):
        _say("The suite is this terminal's own and ends with it.", style="dim")
    _say("? lists your plays, h helps, q leaves.", style="dim")


async def _play(suite: SuiteAtHand, seated: Seated, player: str, auto: bool | None) -> None:
    over = None
    try:
        over = await sit_down(seated, auto=auto)
        if over and suite.is_own and len(seated.bots) + 1 < seated.seats:
            await asyncio.sleep(LAST_LOOK_S)
    finally:
        said = (f" --player {player}" if player else "") + (" --auto" if auto else "")
        _part(suite, seated, said, over)


def _part(suite: SuiteAtHand, seated: Seated, said: str, over: bool | None) -> None:
    """Says what can be done with the match from now on. `said`: the options to say again. `over`: as `sit_down` has it;
    None: it failed."""
    match_id, later = seated.match_id, suite.later
    if over is None:
        _say(f"\nMatch {match_id} is out of reach.")
    elif not over:
        runs_on = " The clocks run on." if is_timed(seated.terms) and not suite.is_own else ""
        _say(f"You left match {match_id}.{runs_on}")
    if later is None:
        _say("Its suite ends here, and the match with it; --data DIR keeps matches.", style="dim")
    elif not over:
        _say(f"To go on: {program()} play --join {match_id} --seat {seated.seat}{said}{later}")
    elif not suite.is_own:
        _say(f"To look at it again: {program()} replay {match_id}{later}")


def _say(text: str, style: str = "") -> None:
    """A line to be copied from: not folded."""
    OUT.print(text, style=style, markup=False, highlight=False, soft_wrap=True)
