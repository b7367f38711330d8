"""Where a seat on turn has nothing left to choose: cube by cube rule, plays against another count of them."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from gammon_engine.game import Game
from gammon_engine.next_steps import NextSteps
from gammon_engine.play import Play
from gammon_engine.position import Position
from gammon_engine.referee import OnlyChoice, actions, begin, only_choice, rule, set_up, summary
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Crawford, Cube, Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings

MATCH = Settings(GameId.BACKGAMMON, MatchPlay(5))
MONEY = Settings(GameId.BACKGAMMON, SessionPlay())
TWO = Settings(GameId.TRACKGAMMON, SessionPlay())
THREE = Settings(GameId.TRACKGAMMON, SessionPlay(), seats=3)
HOLLAND = Settings(GameId.BACKGAMMON, MatchPlay(5, holland=True))
ROLL = OnlyChoice(0, None)


def to_roll(settings: Settings, **changed: object) -> State:
    """Seat 0 is to roll."""
    state = set_up(settings, game_of(settings).start(), turn=0)
    assert isinstance(state, State), state
    return replace(state, **changed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "state", "expected"),
    [
        (MATCH, {}, None),
        (MATCH, {"cube": Cube(1, owner=0)}, None),
        (MATCH, {"cube": Cube(1, owner=1)}, ROLL),  # 6.1
        # 6.1: a dead cube may be turned: at 4 : 3 a cube of 2 wins the match already.
        (MATCH, {"cube": Cube(1, owner=0), "score": (Fraction(4), Fraction(3)), "crawford": Crawford.PLAYED}, None),
        (MATCH, {"crawford": Crawford.NOW, "score": (Fraction(4), Fraction(0))}, ROLL),  # 7.2
        (MATCH, {"crawford": Crawford.PLAYED, "score": (Fraction(4), Fraction(1))}, None),
        (Settings(GameId.BACKGAMMON, MatchPlay(1)), {}, ROLL),  # 6.4
        (Settings(GameId.RUNGAMMON, SessionPlay(), cube=False), {}, ROLL),  # 6.4
        (HOLLAND, {"crawford": Crawford.PLAYED, "rolls": (2, 1)}, ROLL),  # 6.9
        (HOLLAND, {"crawford": Crawford.PLAYED, "rolls": (2, 2)}, None),
        (TWO, {}, None),
        (TWO, {"finished": (1,)}, ROLL),  # 6.1
        (THREE, {"cube": Cube(1, last_doubler=1)}, None),
        (THREE, {"cube": Cube(1, last_doubler=0)}, ROLL),  # 6.10
        (THREE, {"finished": (2,)}, ROLL),  # 6.10
    ],
)
def test_to_roll_is_the_only_choice_where_no_double_is_possible(
    settings: Settings, state: dict[str, object], expected: OnlyChoice | None
) -> None:
    assert only_choice(settings, to_roll(settings, **state)) == expected


@pytest.mark.parametrize("phase", [Phase.DOUBLED, Phase.BEAVERED, Phase.RACCOONED, Phase.RESIGNING, Phase.SETTLING])
def test_an_answer_is_always_a_choice(phase: Phase) -> None:
    assert only_choice(MONEY, to_roll(MONEY, phase=phase, cube=Cube(1, owner=1))) is None


def test_the_opening_throw_is_nobodys_turn() -> None:
    assert only_choice(MATCH, begin(MATCH)) is None


@pytest.mark.parametrize(
    ("position", "dice", "play"),
    [
        ("bar:2,6:13 24:2,13:5,8:3,6:5", (6, 5), "bar/20"),
        # 1.9: two ways to one position are one play.
        ("2:1,off:14 24:1,off:14", (6, 5), "2/off"),
        # M1: each number alone could be played in other ways, both together in one.
        ("24:1,8:1,6:13 21:2,9:2,7:3,6:4,5:4", (6, 2), "8/2 24/22"),
        ("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5", (3, 1), None),
    ],
)
def test_a_play_is_forced_where_only_one_position_can_be_reached(
    position: str, dice: tuple[int, int], play: str | None
) -> None:
    game = game_of(MONEY)
    board = game.parse(position)
    assert isinstance(board, int)
    rolled = rule(MONEY, to_roll(MONEY, position=board), actions.RollDice(0, dice))
    assert isinstance(rolled, Ruling)
    found = only_choice(MONEY, rolled.state)
    written = None if found is None or found.play is None else game.write_play(found.play)
    assert written == play


def reached(game: Game, state: State, chosen: Play = ()) -> set[Position]:
    """Where all plays lead that can be built step by step from what is chosen: not how `legal_plays` finds them."""
    assert state.turn is not None
    assert state.dice is not None
    found = game.next_steps(state.position, state.turn, state.dice, chosen)
    assert isinstance(found, NextSteps)
    if found.complete:
        return {found.position}
    return {result for step in found.steps for result in reached(game, state, (*chosen, step))}


@pytest.mark.parametrize(
    "settings",
    [Settings(game, SessionPlay(games=1)) for game in (GameId.BACKGAMMON, GameId.CATCHGAMMON, GameId.RUNGAMMON)]
    + [Settings(GameId.TRACKGAMMON, SessionPlay(games=1), seats=4)],
    ids=lambda settings: settings.game.value,
)
def test_forced_is_what_building_step_by_step_leaves_no_choice_in(settings: Settings) -> None:
    random, forced, free = Random(5), 0, 0
    state = begin(settings)
    while state.phase is not Phase.OVER and forced + free < 80:
        draw = summary(state).draw
        if draw is not None:
            faces = tuple(random.randint(1, 6) for _ in range(draw.count))
            seat = draw.seats[0]
            throw = actions.Open(faces) if state.phase is Phase.OPENING else actions.RollDice(seat, faces[:2])  # type: ignore[arg-type]
            ruling = rule(settings, state, throw)
        else:
            assert state.turn is not None
            assert state.dice is not None
            game = game_of(settings, state.playing)
            choice = only_choice(settings, state)
            if state.dice[0] != state.dice[1]:
                results = reached(game, state)
                assert (choice is not None) == (len(results) == 1)
                forced, free = forced + (choice is not None), free + (choice is None)
            plays = game.legal_plays(state.position, state.turn, state.dice)
            play = plays.way(random.choice(sorted(plays)))
            if choice is not None:
                assert choice.play is not None
                play = choice.play
            ruling = rule(settings, state, actions.MakePlay(state.turn, play))
        assert isinstance(ruling, Ruling), ruling
        state = ruling.state
    assert free
    # Disc 1 can nearly always move in several ways.
    assert forced or settings.game is GameId.TRACKGAMMON
