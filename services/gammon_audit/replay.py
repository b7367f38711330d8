"""A match as people read it: turn by turn, with the position after each; the good part first, then the first error."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import DecodeError

from gammon.match.v1 import events_pb2
from gammon.rules.v1 import fact_pb2, state_pb2
from gammon_audit.envelopes import Parsed, parse
from gammon_audit.record import MatchRecord
from gammon_engine.drawing import draw_board
from gammon_engine.game import Game
from gammon_engine.registry import game_of
from gammon_engine.settings import SessionPlay, Settings
from gammon_engine.violation import Violation
from gammon_wire import words
from gammon_wire.plays import steps_from_proto
from gammon_wire.points import points_from_proto


@dataclass(frozen=True, slots=True)
class Turn:
    """One batch. `seat`: who acted (None: nobody at the table); `what`: in words and in play text (rule 9.4)."""

    sequence: int
    seat: int | None
    what: str
    position: str
    cube: int
    cube_owner: int | None
    score: tuple[str, ...]
    game_number: int
    playing: str

    def board(self, seat: int = 0) -> str:
        """The position drawn as a seat sees it; empty before the first game."""
        game = _game(self.playing)
        position = game.parse(self.position) if game is not None and self.position else None
        return "" if position is None or isinstance(position, Violation) else draw_board(position, seat)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "sequence": self.sequence,
            "seat": self.seat,
            "what": self.what,
            "position": self.position,
            "cube": {"value": self.cube, "owner": self.cube_owner},
            "score": list(self.score),
            "game": self.game_number,
            "playing": self.playing,
        }


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Where the replay had to stop, and why."""

    sequence: int
    reason: str


def replay(record: MatchRecord) -> Iterator[Turn | Unreadable]:
    """The turns of a match; where its bytes cannot be read on, a last value that says so."""
    parsed, unreadable = parse(record.events)
    batch: list[Parsed] = []
    for event in parsed:
        batch.append(event)
        if event.envelope.HasField("batch_end"):
            turn = _turn(batch)
            yield turn
            if isinstance(turn, Unreadable):
                return
            batch = []
    if unreadable is not None:
        yield Unreadable(unreadable.sequence or 0, unreadable.detail)


def _turn(batch: Sequence[Parsed]) -> Turn | Unreadable:
    last = batch[-1]
    try:
        state = state_pb2.State.FromString(last.envelope.batch_end.state)
    except DecodeError:
        return Unreadable(last.sequence, "the state cannot be read")
    playing = words.GAME_OF.get(state.playing)
    name = playing.value if playing is not None else ""
    actor = last.envelope.actor
    told = [said for event in batch if (said := _words(event.envelope, _game(name)))]
    return Turn(
        sequence=last.sequence,
        seat=_seat(batch) if actor.WhichOneof("kind") != "seat" else actor.seat,
        what="; ".join(told),
        position=state.position,
        cube=1 << min(state.cube_log2, 63),
        cube_owner=state.cube_owner if state.HasField("cube_owner") else None,
        score=tuple(map(str, points_from_proto(state.score))),
        game_number=state.game_number,
        playing=name,
    )


def _seat(batch: Sequence[Parsed]) -> int | None:
    """The seat of the first fact: in an imported match the actor is the operator."""
    for event in batch:
        if event.kind == "fact":
            inner = getattr(event.envelope.fact, event.envelope.fact.WhichOneof("kind") or "", None)
            return getattr(inner, "seat", None)
    return None


def _game(name: str) -> Game | None:
    for game, _number in words.GAMES.items():
        if game.value == name:
            try:
                return game_of(Settings(game, SessionPlay()))
            except KeyError:
                return None
    return None


def _words(envelope: events_pb2.Envelope, game: Game | None) -> str:
    match envelope.WhichOneof("event"):
        case "match_created":
            return "the match is created"
        case "seat_taken":
            return f"{envelope.seat_taken.player} takes seat {envelope.seat_taken.seat}"
        case "match_started":
            return "the match starts"
        case "match_closed":
            return "the match is closed"
        case "fact":
            return _fact_words(envelope.fact, game)
    return ""


def _fact_words(fact: fact_pb2.Fact, game: Game | None) -> str:
    match fact.WhichOneof("kind"):
        case "opening_thrown":
            thrown = fact.opening_thrown
            faces = ", ".join(f"seat {s}: {f}" for s, f in zip(thrown.seats, thrown.faces, strict=False))
            return f"opening throw {faces}" + (", tied" if thrown.tied else "")
        case "automatically_doubled":
            return f"the cube goes to {1 << fact.automatically_doubled.cube_log2}"
        case "game_opened":
            return f"game {fact.game_opened.game_number}, seat {fact.game_opened.starter} starts"
        case "rolled":
            return "rolls " + "".join(map(str, fact.rolled.dice))
        case "play_made":
            play = steps_from_proto(fact.play_made.steps)
            return game.write_play(play) if game is not None else str(len(play))
        case "illegal_play_recorded":
            illegal = fact.illegal_play_recorded
            play = steps_from_proto(illegal.steps)
            played = game.write_play(play) if game is not None else str(len(play))
            return f"plays against rule {illegal.violation.rule}: {played}"
        case "turn_passed":
            return f"seat {fact.turn_passed.seat} cannot move"
        case "double_offered":
            return f"doubles to {1 << fact.double_offered.cube_log2}"
        case "double_taken":
            return "takes"
        case "double_dropped":
            return "drops"
        case "beavered":
            return f"beavers to {1 << fact.beavered.cube_log2}"
        case "raccooned":
            return f"raccoons to {1 << fact.raccooned.cube_log2}"
        case "raise_accepted":
            return "accepts"
        case "offer_made":
            return _offer_words(fact.offer_made)
        case "offer_closed":
            return "accepts" if fact.offer_closed.accepted else "declines"
        case "forfeited":
            return f"seat {fact.forfeited.seat} " + ("lapses" if fact.forfeited.lapse else "forfeits")
        case "game_ended":
            return _game_words(fact.game_ended)
        case "play_ended":
            score = " : ".join(map(str, points_from_proto(fact.play_ended.score)))
            winners = ", ".join(f"seat {seat}" for seat in fact.play_ended.winners)
            return f"{winners} wins the match {score}" if winners else f"the session ends {score}"
        case other:
            return (other or "").replace("_", " ")


def _offer_words(made: fact_pb2.OfferMade) -> str:
    if made.HasField("resign"):
        return f"offers to resign at level {made.resign.level}"
    if made.HasField("settle"):
        return f"offers to settle for {made.settle.points} to seat {made.settle.to_seat}"
    return "offers to end without points"


def _game_words(game: fact_pb2.GameEnded) -> str:
    if not game.winners:
        return f"game {game.game_number} ends without points"
    won = max(points_from_proto(game.points))
    return f"seat {game.winners[0]} wins {won} point{'' if won == 1 else 's'}"
