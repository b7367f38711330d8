"""What bots do, judged by the referee and by positions whose answer is plain."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from gammon_bots.cube import doubles, takes
from gammon_bots.decisions import LONG_ROLLS, best_play, decide
from gammon_bots.judges import judge_of
from gammon_bots.judges.backgammon import is_race
from gammon_engine.board24 import sides
from gammon_engine.board24_text import parse_position
from gammon_engine.position import Position
from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, rule, set_up, summary
from gammon_engine.referee.facts import DoubleDropped, DoubleTaken, Fact, GameEnded, How
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Crawford, Cube, NoResult, Phase, Resignation, Settlement, State
from gammon_engine.registry import game_of
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings
from gammon_engine.violation import Violation
from gammon_wire.actions import action_from_proto

MATCH = Settings(GameId.BACKGAMMON, MatchPlay(5))
SESSION = Settings(GameId.BACKGAMMON, SessionPlay())
JUDGE = judge_of(game_of(SESSION))
START = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"
# Seat 0 has 67 pips to go, seat 1 has 90: no contact is left.
FAR_AHEAD = "6:5,5:5,4:3,off:2 6:15"
EVEN_RACE = "6:15 6:15"


def _position(text: str) -> Position:
    position = parse_position(text, 15)
    assert isinstance(position, int), position
    return position


def _to_roll(text: str, settings: Settings = SESSION, **changes: object) -> State:
    state = set_up(settings, _position(text), turn=0)
    assert isinstance(state, State), state
    return replace(state, **changes)  # type: ignore[arg-type]


def _play_on(
    settings: Settings, state: State, dice: Random, offered: dict[int, int] | None = None
) -> tuple[State, tuple[Fact, ...]]:
    """One act of the seat whose turn it is, with its dice if it asks for them."""
    seat = min(summary(state).seats_to_act)
    action = decide(settings, state, seat, offered)
    action.seat = seat
    if action.WhichOneof("kind") == "roll":
        needed = summary(state).draw
        assert needed is not None
        action.roll.dice.extend(dice.randint(1, 6) for _ in range(needed.count))
    read = action_from_proto(action, state.phase)
    ruling = rule(settings, state, read)  # type: ignore[arg-type]
    assert isinstance(ruling, Ruling), (ruling, action)
    return ruling.state, ruling.facts


def test_bots_play_matches_to_the_end_within_the_law_and_turn_the_cube() -> None:
    dice, facts = Random(20), list[Fact]()
    for _ in range(10):
        state = begin(MATCH)
        while state.phase is not Phase.OVER:
            state, established = _play_on(MATCH, state, dice)
            facts += established
        assert max(state.score) >= 5

    kinds = {type(fact) for fact in facts}
    assert {DoubleTaken, DoubleDropped} <= kinds
    assert {fact.level for fact in facts if isinstance(fact, GameEnded)} >= {1, 2}


def test_a_bot_beats_whoever_plays_at_random() -> None:
    """95 of 100 games at least; a coin would do that once in 10^22."""
    chance, settings = Random(7), replace(MATCH, play=MatchPlay(1))
    won = 0
    for _ in range(100):
        state = begin(settings)
        while state.phase is not Phase.OVER:
            if state.phase is Phase.TO_PLAY and state.turn == 1:
                assert state.dice is not None
                plays = game_of(settings).legal_plays(state.position, 1, state.dice)
                ruling = rule(settings, state, act.MakePlay(1, plays.way(chance.choice(sorted(plays)))))
                assert isinstance(ruling, Ruling)
                state = ruling.state
            else:
                state, _ = _play_on(settings, state, chance)
        assert state.over is not None
        won += state.over.winners == (0,)
    assert won >= 95


@pytest.mark.parametrize(
    ("dice", "expected"),
    [((3, 1), {(8, 5), (6, 5)}), ((4, 2), {(8, 4), (6, 4)}), ((6, 1), {(13, 7), (8, 7)})],
)
def test_the_three_openings_that_make_a_point_do(dice: tuple[int, int], expected: set[tuple[int, int]]) -> None:
    state = replace(begin(MATCH), phase=Phase.TO_PLAY, turn=0, dice=dice)
    assert {(step.origin, step.target) for step in best_play(MATCH, state, 0)} == expected


def test_a_bot_hits_rather_than_passes_by() -> None:
    # Seat 1's blot on its 4 point is seat 0's 21 point: a 3 from 24 sends it back 21 pips.
    state = replace(_to_roll("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:4,4:1"), phase=Phase.TO_PLAY, dice=(6, 3))
    assert any(step.hit for step in best_play(SESSION, state, 0))


def test_a_race_is_a_race_once_the_sides_have_passed() -> None:
    assert is_race(*sides(_position(EVEN_RACE), 0))
    assert not is_race(*sides(_position(START), 0))
    # A checker on the bar has everything before it.
    assert not is_race(*sides(_position("bar:1,6:14 6:15"), 0))


def test_the_chance_grows_with_the_lead_and_is_fair_to_both_seats() -> None:
    assert JUDGE.chance(_position(FAR_AHEAD), 0) > 0.9 > JUDGE.chance(_position(EVEN_RACE), 0) > 0.5
    assert JUDGE.chance(_position(FAR_AHEAD), 1) < 0.2
    assert JUDGE.chance(_position(START), 0) == JUDGE.chance(_position(START), 1)


def test_a_long_lead_doubles_and_is_dropped_and_an_even_race_is_not_doubled() -> None:
    ahead = _to_roll(FAR_AHEAD)
    assert decide(SESSION, ahead, 0).WhichOneof("kind") == "double"
    assert decide(SESSION, replace(ahead, phase=Phase.DOUBLED), 1).WhichOneof("kind") == "drop"
    even = _to_roll(EVEN_RACE)
    assert decide(SESSION, even, 0).WhichOneof("kind") == "roll"
    assert decide(SESSION, replace(even, phase=Phase.DOUBLED), 1).WhichOneof("kind") == "take"


def test_whoever_may_not_double_rolls() -> None:
    ahead = _to_roll(FAR_AHEAD, cube=Cube(1, owner=1))
    assert doubles(SESSION, ahead, 0)
    assert decide(SESSION, ahead, 0).WhichOneof("kind") == "roll"


def test_the_score_of_a_match_decides_the_cube() -> None:
    def score(mine: int, theirs: int, **changes: object) -> State:
        return replace(
            _to_roll(FAR_AHEAD, MATCH), score=(Fraction(mine), Fraction(theirs)), **changes  # type: ignore[arg-type]
        )  # fmt: skip

    assert doubles(MATCH, score(0, 0), 0)
    assert not doubles(MATCH, score(3, 0, cube=Cube(1, owner=0)), 0), "the stake already wins the match"
    behind = replace(score(2, 4, crawford=Crawford.PLAYED), position=_position(EVEN_RACE))
    assert doubles(MATCH, behind, 0), "a lost game loses the match at any stake"
    assert takes(MATCH, score(3, 0, cube=Cube(1, owner=0)), 1), "a drop loses the match"


def test_offers_are_answered() -> None:
    resigned = _to_roll(START, phase=Phase.RESIGNING, offer=Resignation(1, 2, Phase.TO_ROLL))
    assert decide(SESSION, resigned, 0).WhichOneof("kind") == "accept"
    drawn = _to_roll(START, phase=Phase.RESIGNING, offer=NoResult(1, Phase.TO_ROLL))
    assert decide(SESSION, drawn, 0).WhichOneof("kind") == "decline"
    for to, answer in ((0, "accept"), (1, "decline")):
        offer = Settlement(1, Fraction(1), to, Phase.TO_ROLL)
        settling = _to_roll(START, phase=Phase.SETTLING, offer=offer)
        assert decide(SESSION, settling, 0).WhichOneof("kind") == answer


# Seat 0 is gammoned for sure, one checker from saving it, and about to be backgammoned.
@pytest.mark.parametrize("lost", ["24:15 2:1,off:14", "7:1,6:14 2:2,off:13", "bar:2,24:1,6:12 2:1,off:14"])
@pytest.mark.parametrize("settings", [SESSION, MATCH])
def test_c22_a_bot_plays_a_lost_game_on_and_takes_what_is_given_up(settings: Settings, lost: str) -> None:
    hopeless = _to_roll(lost, settings)
    assert decide(settings, hopeless, 0).WhichOneof("kind") == "roll"
    assert decide(settings, replace(hopeless, phase=Phase.TO_PLAY, dice=(2, 1)), 0).WhichOneof("kind") == "play"
    for level in (1, 2, 3):
        resigned = replace(hopeless, phase=Phase.RESIGNING, offer=Resignation(0, level, Phase.TO_ROLL))
        assert decide(settings, resigned, 1).WhichOneof("kind") == "accept"


# Between bots that play alike: the discs of seats 1 and 3, who have left, bar the way to those of the others.
BARRED = "13,13,13,12,2 1,12,2,3,1 12,13,13,13,11 1,8,1,4,14"


def _barred(settings: Settings, rolls: int) -> State:
    position = game_of(settings).parse(BARRED)
    assert not isinstance(position, Violation)
    return replace(
        begin(settings),
        phase=Phase.TO_ROLL,
        position=position,
        seats_in=(0, 2),
        turn=0,
        starter=0,
        rolls=(rolls, 4, rolls, 5),
        contenders=(),
        cube=Cube(2, last_doubler=2),
        paid=(Fraction(0), Fraction(1), Fraction(0), Fraction(2)),
    )


def test_a_game_that_goes_nowhere_is_ended_by_agreement_and_not_offered_again_and_again() -> None:
    settings, dice = Settings(GameId.TRACKGAMMON, SessionPlay(1), seats=4), Random(3)
    state = _barred(settings, 8)
    while max(state.rolls) < LONG_ROLLS + 50:
        state, _ = _play_on(settings, state, dice)
        assert state.phase is not Phase.OVER, "it goes somewhere, so nothing is shown"
    state, offered, facts = _barred(settings, 8), dict[int, int](), list[Fact]()
    while state.phase is not Phase.OVER:
        state, established = _play_on(settings, state, dice, offered)
        facts += established
    assert [fact.how for fact in facts if isinstance(fact, GameEnded)] == [How.AGREEMENT]
    # To somebody who declines it is offered again only after as long.
    long, offered = _barred(settings, LONG_ROLLS), dict[int, int]()
    kinds = [decide(settings, long, 0, offered).WhichOneof("kind") for _ in range(2)]
    assert kinds == ["no_result", "roll"]
    assert (
        decide(settings, replace(long, rolls=(2 * LONG_ROLLS, 4, 0, 5)), 0, offered).WhichOneof("kind") == "no_result"
    )


def test_nothing_is_left_to_decide_when_all_is_over() -> None:
    with pytest.raises(ValueError, match="over"):
        decide(MATCH, _to_roll(START, phase=Phase.OVER), 0)
