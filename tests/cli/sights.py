"""What seats see, for tests of what they type."""

from dataclasses import replace

from gammon_cli.play.sight import Sight, sight_of
from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, rule, set_up
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings

MATCH = Settings(GameId.BACKGAMMON, MatchPlay(5))
SESSION = Settings(GameId.BACKGAMMON, SessionPlay(beavers=True, raccoons=True))
THREE = Settings(GameId.TRACKGAMMON, SessionPlay(), seats=3)
MIXED = Settings(GameId.GAMMON, MatchPlay(9))


def opening(settings: Settings = MATCH, seat: int = 0) -> Sight:
    """Before the first throw."""
    return sight_of(settings, begin(settings), seat)


def to_roll(settings: Settings = MATCH, seat: int = 0, position: str | None = None) -> Sight:
    """Seat 0 is to roll."""
    game = game_of(settings)
    board = game.start() if position is None else game.parse(position)
    assert isinstance(board, int), board
    state = set_up(settings, board, turn=0)
    assert isinstance(state, State), state
    return sight_of(settings, state, seat)


def after(sight: Sight, *actions: act.Action, seat: int | None = None) -> Sight:
    """What `seat`, else the seat of before, sees after the actions."""
    state = sight.state
    for action in actions:
        ruling = rule(sight.settings, state, action)
        assert isinstance(ruling, Ruling), ruling
        state = ruling.state
    return sight_of(sight.settings, state, sight.seat if seat is None else seat)


def to_play(*dice: int, settings: Settings = MATCH, seat: int = 0, position: str | None = None) -> Sight:
    """Seat 0 has rolled."""
    first, second = dice
    return after(to_roll(settings, seat, position), act.RollDice(0, (first, second)))


def choosing() -> Sight:
    """Seat 0 has won the first game of a mixed match and chooses the next."""
    sight = opening(MIXED)
    return sight_of(MIXED, replace(sight.state, phase=Phase.CHOOSING, chooser=0, game_number=2), 0)
