"""What a bot does at a given state."""

from __future__ import annotations

from typing import assert_never

from gammon.rules.v1 import action_pb2 as pb
from gammon.rules.v1 import play_pb2
from gammon_bots.cube import doubles, is_behind, stays, takes
from gammon_bots.judges import judge_of
from gammon_engine.play import Play
from gammon_engine.referee import actions as act
from gammon_engine.referee import rule
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import NoResult, Phase, Settlement, State
from gammon_engine.registry import game_of
from gammon_engine.settings import GameId, Settings, games_of
from gammon_wire.plays import steps_to_proto
from gammon_wire.words import GAMES

# No game has a move limit (1.11). Of thousands between bots the longest took a seat 74 rolls; but the discs of seats
# that have left Trackgammon (6.10) can stand in the way of the others for ever.
LONG_ROLLS = 200


def decide(settings: Settings, state: State, seat: int, offered: dict[int, int] | None = None) -> pb.Action:
    """The act of `seat`, which is one of the seats to act. Dice are left to the service.

    `offered`: where the bot notes how long a game, by its number, had gone on when it last offered to end it without
    points, so that it offers again only after as long; None: it never offers that.

    Raises:
        ValueError: nothing is left to decide.
    """
    if offered is not None and state.phase is Phase.TO_ROLL and _times_long(state) > offered.get(state.game_number, 0):
        offered[state.game_number] = _times_long(state)
        return pb.Action(no_result=pb.OfferNoResult())
    match state.phase:
        case Phase.OPENING:
            return pb.Action(roll=pb.Roll())
        case Phase.TO_ROLL:
            may_double = isinstance(rule(settings, state, act.Double(seat)), Ruling)
            if may_double and doubles(settings, state, seat):
                return pb.Action(double=pb.OfferDouble())
            return pb.Action(roll=pb.Roll())
        case Phase.TO_PLAY:
            steps = play_pb2.Play(steps=steps_to_proto(best_play(settings, state, seat)))
            return pb.Action(play=pb.MakePlay(steps=steps))
        case Phase.DOUBLED if settings.seats > 2:
            return pb.Action(stay=pb.Stay()) if stays(settings, state, seat) else pb.Action(leave=pb.Leave())
        case Phase.DOUBLED:
            return pb.Action(take=pb.Take()) if takes(settings, state, seat) else pb.Action(drop=pb.Drop())
        case Phase.BEAVERED | Phase.RACCOONED:
            return pb.Action(accept=pb.Accept())
        case Phase.RESIGNING | Phase.SETTLING:
            agreed = _agrees(settings, state, seat)
            return pb.Action(accept=pb.Accept()) if agreed else pb.Action(decline=pb.Decline())
        case Phase.CHOOSING:
            return pb.Action(choose=pb.ChooseGame(game=GAMES[_favourite(settings, state)]))
        case Phase.OVER:
            raise ValueError("phase: over asks a bot for nothing")
        case _:
            assert_never(state.phase)


def _agrees(settings: Settings, state: State, seat: int) -> bool:
    """To the opponent's resignation, to points for itself, and to an end without points when behind or after long."""
    match state.offer:
        case Settlement(_, points, to):
            return to == seat and points > 0
        case NoResult():
            return _times_long(state) > 0 or is_behind(settings, state, seat)
        case _:
            return True


def _times_long(state: State) -> int:
    """How many times as long as any usual game this one takes; 0: it does not."""
    return max(state.rolls, default=0) // LONG_ROLLS


def _favourite(settings: Settings, state: State) -> GameId:
    """Of the games that may be chosen (7.6) each in its turn."""
    _, *others = games_of(settings.game)
    return others[state.game_number % len(others)]


def best_play(settings: Settings, state: State, seat: int) -> Play:
    """The legal play with the best board after it."""
    assert state.dice is not None, "a state in phase to_play has its dice"
    game = game_of(settings, state.playing)
    judge = judge_of(game)
    plays = game.legal_plays(state.position, seat, state.dice)
    # Sorted, so that equal boards give the same choice everywhere.
    return plays.way(max(plays, key=lambda result: judge.value(result, seat)))
