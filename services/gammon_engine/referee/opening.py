"""The opening throw (1.7, 5.15, 6.8)."""

from __future__ import annotations

from dataclasses import replace

from gammon_engine.play import Roll
from gammon_engine.referee.actions import Open
from gammon_engine.referee.facts import AutomaticallyDoubled, Fact, GameOpened, OpeningThrown, Rolled
from gammon_engine.referee.ruling import Ruling, out_of_phase
from gammon_engine.referee.state import Cube, Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import SessionPlay, Settings
from gammon_engine.violation import Violation


def starter_to_roll(state: State) -> int | None:
    """The seat that has won the opening throw and still throws both dice (5.15), if the opening has come to that."""
    return state.contenders[0] if len(state.contenders) == 1 else None


def open_game(settings: Settings, state: State, action: Open) -> Ruling | Violation:
    """Judge the throws in the order drawn, until the starter has a roll or the dice are used up."""
    if state.phase is not Phase.OPENING:
        return out_of_phase(settings, state)
    dice = action.dice
    if not dice or any(die not in range(1, 7) for die in dice):
        return _wrong_dice("each seat that throws needs a die from 1 to 6", dice)
    starter_rolls = game_of(settings, state.playing).starter_rolls
    facts: tuple[Fact, ...] = ()
    while dice:
        starter = starter_to_roll(state)
        if starter is not None:
            if len(dice) != 2:
                return _wrong_dice("the starter throws two dice", action.dice)
            return _started(settings, state, starter, (dice[0], dice[1]), facts)
        seats = state.contenders or state.seats_in
        throw, dice = dice[: len(seats)], dice[len(seats) :]
        if len(throw) < len(seats):
            return _wrong_dice(f"this throw needs {len(seats)} dice", action.dice)
        facts = (*facts, OpeningThrown(seats, throw))
        highest = tuple(seat for seat, die in zip(seats, throw, strict=True) if die == max(throw))
        state = replace(state, contenders=highest)
        if len(highest) > 1:
            state, facts = _tied(settings, state, facts)
        elif not starter_rolls:
            if dice:
                return _wrong_dice("the starter was found before the last dice", action.dice)
            # Two seats threw, and the starter's die is the larger.
            return _started(settings, state, highest[0], (max(throw), min(throw)), facts)
    return Ruling(state, facts)


def _tied(settings: Settings, state: State, facts: tuple[Fact, ...]) -> tuple[State, tuple[Fact, ...]]:
    most = settings.play.automatic_doubles if isinstance(settings.play, SessionPlay) else 0
    if state.automatic_doubles >= most:
        return state, facts
    cube = Cube(state.cube.exponent + 1)
    doubled = replace(state, cube=cube, automatic_doubles=state.automatic_doubles + 1)
    return doubled, (*facts, AutomaticallyDoubled(cube.exponent))


def _started(settings: Settings, state: State, starter: int, roll: Roll, facts: tuple[Fact, ...]) -> Ruling:
    started = replace(
        state,
        phase=Phase.TO_PLAY,
        turn=starter,
        starter=starter,
        dice=(max(roll), min(roll)),
        rolls=tuple(int(seat == starter) for seat in range(settings.seats)),
        contenders=(),
    )
    start = game_of(settings, state.playing).text(state.position)
    opened = GameOpened(state.game_number, state.playing, starter, start)
    return Ruling(started, (*facts, opened, Rolled(starter, roll)))


def _wrong_dice(reason: str, dice: tuple[int, ...]) -> Violation:
    return Violation("1.7", reason, "dice", "-".join(map(str, dice)) or "none")
