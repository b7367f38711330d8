"""Matches and sessions by random acts, seeded: states that the referee really reaches."""

from dataclasses import dataclass
from fractions import Fraction
from random import Random

from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, legal_actions, rule, summary
from gammon_engine.referee.facts import Fact
from gammon_engine.referee.state import Crawford, Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import GameId, MatchPlay, RunnerRelease, SessionPlay, Settings, SetUp
from gammon_engine.violation import Violation

SETTINGS = (
    Settings(GameId.BACKGAMMON, MatchPlay(5)),
    Settings(GameId.BACKGAMMON, MatchPlay(3, crawford=True, holland=True), set_up=SetUp.NACKGAMMON),
    Settings(
        GameId.BACKGAMMON,
        SessionPlay(games=3, jacoby=True, beavers=True, raccoons=True, automatic_doubles=2),
        set_up=SetUp.HYPERGAMMON,
    ),
    Settings(GameId.BACKGAMMON, SessionPlay(games=2), cube=False),
)

# These are of games that not every registry holds.
OTHERS = (
    Settings(GameId.GAMMON, MatchPlay(5), runner_release=RunnerRelease.BOTH),
    Settings(GameId.TRACKGAMMON, MatchPlay(3)),
    Settings(GameId.TRACKGAMMON, SessionPlay(games=3), seats=3),
    Settings(GameId.TRACKGAMMON, SessionPlay(games=5), seats=4),
)


@dataclass(frozen=True, slots=True)
class Acted:
    """One act of a walk."""

    before: State
    action: act.Action
    facts: tuple[Fact, ...]
    after: State


def walk(settings: Settings, seed: int) -> list[Acted]:
    """A whole match or session."""
    random = Random(seed)
    state = begin(settings)
    acts: list[Acted] = []
    while state.phase is not Phase.OVER:
        action = _action(random, settings, state)
        ruling = rule(settings, state, action)
        assert not isinstance(ruling, Violation), ruling
        acts.append(Acted(state, action, ruling.facts, ruling.state))
        state = ruling.state
        assert len(acts) < 5000, "the walk does not end"
    return acts


def _action(random: Random, settings: Settings, state: State) -> act.Action:
    seats = range(settings.seats)
    if random.random() < 0.002:
        return random.choice((act.VoidGame(), act.SetScore(state.score, state.crawford is Crawford.PLAYED)))
    if settings.seats > 2 and random.random() < 0.005:
        return act.Lapse(random.choice(state.seats_in))
    if state.phase is Phase.OPENING:
        if settings.seats == 2 and random.random() < 0.05:
            return act.Resign(random.choice((0, 1)), 1)
        draw = summary(state).draw
        return act.Open(tuple(random.randint(1, 6) for _ in range(draw.count if draw else 0)))
    if state.phase is Phase.TO_PLAY and state.turn is not None and state.dice is not None:
        if settings.seats == 2 and random.random() < 0.02:
            return act.Resign(random.choice((0, 1)), 1)
        plays = game_of(settings, state.playing).legal_plays(state.position, state.turn, state.dice)
        return act.MakePlay(state.turn, plays.way(random.choice(list(plays))))
    seat = random.choice([seat for seat in seats if legal_actions(settings, state, seat)])
    kinds = legal_actions(settings, state, seat)
    raises = [kind for kind in kinds if kind in (act.Beaver, act.Raccoon)]
    if act.RollDice in kinds and random.random() < 0.9:
        kind: type[act.Action] = act.RollDice
    else:
        kind = random.choice(raises if raises and random.random() < 0.6 else list(kinds))
    if kind is act.RollDice:
        return act.RollDice(seat, (random.randint(1, 6), random.randint(1, 6)))
    if kind is act.Resign:
        return act.Resign(seat, random.randint(1, game_of(settings, state.playing).top_level))
    if kind is act.Settle:
        return act.Settle(seat, Fraction(random.randint(0, 4)), 1 - seat)
    if kind is act.Choose:
        return act.Choose(seat, random.choice((GameId.CATCHGAMMON, GameId.RUNGAMMON)))
    return kind(seat)  # type: ignore[call-arg,arg-type]
