"""What a seat has before it, and what it may do about it."""

from __future__ import annotations

from dataclasses import dataclass

from gammon.rules.v1 import action_pb2 as pb
from gammon_drawing.marks import LETTERS
from gammon_engine.game import Game
from gammon_engine.play import Play
from gammon_engine.position import Position
from gammon_engine.referee import actions as act
from gammon_engine.referee import legal_actions, summary
from gammon_engine.referee.state import NoResult, Phase, Resignation, Settlement, State
from gammon_engine.registry import game_of
from gammon_engine.settings import GameId, Settings, games_of
from gammon_wire.actions import action_to_proto


@dataclass(frozen=True, slots=True)
class Sight:
    """A state as `seat` sees it. `plays`: its legal plays in the order of their numbers, if a roll is to be played."""

    settings: Settings
    state: State
    seat: int
    plays: tuple[Play, ...] = ()

    @property
    def game(self) -> Game:
        """The game on the board."""
        return game_of(self.settings, self.state.playing)


def sight_of(settings: Settings, state: State, seat: int) -> Sight:
    """What `seat` sees; plays with the steps that start furthest back come first."""
    if state.phase is not Phase.TO_PLAY or state.turn != seat or state.dice is None:
        return Sight(settings, state, seat)
    game = game_of(settings, state.playing)
    legal = game.legal_plays(state.position, seat, state.dice)
    plays = [_as_written(game, state, seat, result, way) for result, way in legal.plays()]
    return Sight(settings, state, seat, tuple(sorted(plays, key=_furthest_back)))


def _as_written(game: Game, state: State, seat: int, result: Position, way: Play) -> Play:
    """The way with its steps from the back to the front, as players write them, where that is the same play (1.9)."""
    assert state.dice is not None, "a state in phase to_play has its dice"
    ordered = tuple(sorted(way, key=lambda step: -step.origin))
    if game.explain(state.position, seat, state.dice, ordered) is not None:
        return way
    reached, play = game.apply(state.position, seat, ordered)
    return play if reached == result else way


def _furthest_back(play: Play) -> list[tuple[int, ...]]:
    return [(step.piece, -step.origin, -step.target, step.number) for step in play]


def is_asked(sight: Sight) -> bool:
    """Whether something waits for the seat."""
    return sight.seat in summary(sight.state).seats_to_act


def may_throw(sight: Sight) -> bool:
    """Whether the seat may ask for dice."""
    draw = summary(sight.state).draw
    return draw is not None and sight.seat in draw.seats


def obvious(sight: Sight) -> pb.Action | None:
    """What Enter alone does: throw the dice, or make the only play. None where there is something to decide."""
    if may_throw(sight):
        return pb.Action(roll=pb.Roll())
    if len(sight.plays) == 1:
        return action_to_proto(act.MakePlay(sight.seat, sight.plays[0]))
    return None


def is_forced(sight: Sight) -> bool:
    """Whether the obvious is all that can be done, but for offers to end the game."""
    return obvious(sight) is not None and not _may(sight, act.Double)


def question(sight: Sight) -> str:
    """What is asked of the seat, with the words that answer it."""
    state, stake = sight.state, sight.state.cube.value
    match state.phase:
        case Phase.OPENING:
            return f"Game {state.game_number}: Enter throws for who starts."
        case Phase.TO_ROLL:
            doubles = f", d doubles to {2 * stake}" if not is_forced(sight) else ""
            return f"Your turn: Enter rolls{doubles}."
        case Phase.TO_PLAY:
            return _which_play(sight)
        case Phase.DOUBLED if sight.settings.seats > 2:
            return f"{_letter(state.turn)} doubles to {2 * stake}: stay, or leave and pay {stake}?"
        case Phase.DOUBLED:
            beavers = f", beaver redoubles to {4 * stake}" if _may(sight, act.Beaver) else ""
            return f"{_letter(state.turn)} doubles to {2 * stake}: t takes{beavers}, p drops and loses {stake}."
        case Phase.BEAVERED | Phase.RACCOONED:
            raccoons = f", raccoon redoubles to {2 * stake}" if _may(sight, act.Raccoon) else ""
            return f"The cube goes on to {stake}: a accepts{raccoons}, p drops and loses {stake // 2}."
        case Phase.RESIGNING | Phase.SETTLING:
            return f"{_offer(state)}: a accepts, n declines."
        case Phase.CHOOSING:
            return f"You choose the next game: {' or '.join(f'choose {game.value}' for game in choosable(sight))}."
        case Phase.OVER:
            return "It is over."


def choosable(sight: Sight) -> tuple[GameId, ...]:
    """The games that the winner of the first of a mixed match chooses between (7.6)."""
    return games_of(sight.settings.game)[1:]


def possible(sight: Sight) -> list[tuple[str, str]]:
    """All that the seat may do now: what to type, and what it does."""
    state, stake = sight.state, sight.state.cube.value
    letter = LETTERS[sight.seat]
    told: dict[type[act.Action], tuple[str, str]] = {
        act.Double: ("d", f"double to {2 * stake}"),
        act.Take: ("t", f"take, and own the cube at {2 * stake}"),
        act.Drop: ("p", "drop, and lose the stake before the raise"),
        act.Beaver: ("beaver", f"take, and redouble at once to {4 * stake}"),
        act.Raccoon: ("raccoon", f"redouble once more, to {2 * stake}"),
        act.Stay: ("stay", f"stay in at {2 * stake}"),
        act.Leave: ("leave", f"pay {stake} and leave this game"),
        act.Accept: ("a", "accept what is offered"),
        act.Decline: ("n", "decline it; play goes on"),
        act.Withdraw: ("withdraw", "take your offer back"),
        act.Resign: ("resign 1", _resigning(sight.game.top_level)),
        act.Settle: (f"settle 2 {letter}", "offer to end the game with 2 points for a seat"),
        act.OfferNoResult: ("nopoints", "offer to end the game without points"),
        act.Choose: (" or ".join(f"choose {game.value}" for game in choosable(sight)), "the next game"),
    }
    rows = []
    if may_throw(sight):
        rows.append(("Enter or r", "throw the dice"))
    if sight.plays:
        first = sight.game.write_play(sight.plays[0])
        rows.append((first, "a play in the numbers of your own side; steps may be joined"))
        rows.append(("1", "the play of this number"))
        rows.append(("?", "the legal plays; ? 2 their second page"))
        rows.append((f"? {first.split()[0]}", "those of them with such a step"))
    rows += [told[kind] for kind in legal_actions(sight.settings, state, sight.seat) if kind in told]
    priced = [typed for typed, _ in rows if typed in _PRICED]
    return rows + [(f"cost {typed}", "what that would come to, without doing it") for typed in priced[:1]]


# What the price is asked of.
_PRICED = ("p", "resign 1")


def _may(sight: Sight, kind: type[act.Action]) -> bool:
    return kind in legal_actions(sight.settings, sight.state, sight.seat)


def _which_play(sight: Sight) -> str:
    assert sight.state.dice is not None, "a state in phase to_play has its dice"
    roll = "{}{}".format(*sight.state.dice)
    if len(sight.plays) == 1:
        return f"Your roll {roll} has one play, {sight.game.write_play(sight.plays[0])}: Enter makes it."
    return f"Your roll {roll}: type a play or its number; ? lists all {len(sight.plays)}."


def _resigning(top_level: int) -> str:
    return "offer to lose the game" + (f", at level 1 to {top_level}" if top_level > 1 else "")


def _offer(state: State) -> str:
    match state.offer:
        case Resignation(seat, level):
            return f"{_letter(seat)} offers to lose this game at level {level}"
        case Settlement(seat, points, to):
            return f"{_letter(seat)} offers to end this game with {points} points for {_letter(to)}"
        case NoResult(seat):
            return f"{_letter(seat)} offers to end this game without points"
        case None:
            return "Nothing is offered"


def _letter(seat: int | None) -> str:
    return "nobody" if seat is None else LETTERS[seat]
