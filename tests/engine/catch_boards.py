"""Positions of Catchgammon for tests, and what can be played there."""

from gammon_engine.games.catchgammon import Catchgammon
from gammon_engine.play import Roll
from gammon_engine.position import Position
from gammon_engine.violation import Violation

GAME = Catchgammon()


def at(text: str) -> Position:
    position = GAME.parse(text)
    assert isinstance(position, int), position
    return position


def results(text: str, roll: Roll, seat: int = 0) -> list[str]:
    """What the mover's side can look like after the roll."""
    return sorted({result.split()[seat] for result in GAME.legal_plays(at(text), seat, roll).texts()})


def read(text: str, position: str, roll: Roll, seat: int = 0) -> str:
    """What is read in its written form, or the rule that refuses it and why."""
    play = GAME.read_play(text, at(position), seat, roll)
    return f"{play.rule}: {play.reason}" if isinstance(play, Violation) else GAME.write_play(play)


def after(text: str, position: str, roll: Roll, seat: int = 0) -> str:
    """The position after a play given as text."""
    play = GAME.read_play(text, at(position), seat, roll)
    assert not isinstance(play, Violation), play
    return GAME.text(GAME.apply(at(position), seat, play)[0])
