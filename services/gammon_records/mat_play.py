"""The text of a play against the position it was made in: a legal play, an illegal one with its board, or neither."""

from __future__ import annotations

from dataclasses import dataclass

from gammon_engine.game import Game
from gammon_engine.play import Play, Roll
from gammon_engine.position import Position
from gammon_engine.violation import Violation
from gammon_records.hops import carry_out, own_side, own_side_after, read_hops


@dataclass(frozen=True, slots=True)
class Legal:
    """A legal play."""

    play: Play


@dataclass(frozen=True, slots=True)
class Illegal:
    """A play that the law does not allow, and the position the record goes on with."""

    play: Play
    position: Position


@dataclass(frozen=True, slots=True)
class Unreadable:
    """No position can be had from it."""

    reason: str


def read_mat_play(game: Game, text: str, position: Position, seat: int, roll: Roll) -> Legal | Illegal | Unreadable:
    """What a written play is.

    Hits happen where a hop is written to land, marked or not. Where that fits no legal play and just one legal play
    moves the checkers in the same way, that one is meant: it was written with a false or a missing hit.
    """
    read = game.read_play(text, position, seat, roll)
    if not isinstance(read, Violation):
        return Legal(read)
    ways = read_hops(text)
    if ways is None:
        return Unreadable(f"{text!r} is no play")
    moved = own_side_after(position, seat, ways)
    plays = game.legal_plays(position, seat, roll)
    alike = [result for result in plays if own_side(result, seat) == moved]
    done = carry_out(position, seat, ways)
    if isinstance(done, tuple) and done[0] in alike:
        return Legal(plays.way(done[0]))
    if len(alike) == 1:
        return Legal(plays.way(alike[0]))
    if isinstance(done, str):
        return Unreadable(f"{text} cannot be played: {done}")
    return Illegal(done[1], done[0])


def read_extra_play(text: str, position: Position, seat: int) -> Illegal | Unreadable:
    """A play that was made though no step was legal, and the turn had passed."""
    ways = read_hops(text)
    if ways is None:
        return Unreadable(f"{text!r} is no play")
    done = carry_out(position, seat, ways)
    if isinstance(done, str):
        return Unreadable(f"{text} cannot be played: {done}")
    return Illegal(done[1], done[0])
