"""What happened at the table and how it stands, in words for the seat that looks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import fact_pb2
from gammon_audit.turn_words import event_words
from gammon_bots.player import Table, after_batch
from gammon_drawing.marks import LETTERS
from gammon_drawing.text import draw_text
from gammon_engine.referee.stakes import cube_is_used
from gammon_engine.referee.state import Crawford, State
from gammon_engine.registry import game_of
from gammon_engine.settings import MatchPlay, SessionPlay, Settings, games_of
from gammon_engine.violation import Violation
from gammon_wire.points import points_from_proto

_SEAT = re.compile(r"\bseat ([0-3])\b")


@dataclass(frozen=True, slots=True)
class Heard:
    """A batch: who acted (None: nobody at the table), what happened, and the table after it.

    `by_service`: the service acted for the seat. `envelopes`: all that happened.
    `ended`: the state to draw a game by that has ended in it, with its last position and the score after it.
    `seated`: players by the seats they took. `back_to`: the batch end that the match went back to, if it did.
    `proposes_to`: the batch end that a take-back was proposed to.
    """

    seat: int | None
    by_service: bool
    envelopes: Sequence[events_pb2.Envelope]
    what: str
    table: Table
    ended: State | None
    seated: Mapping[int, str]
    back_to: int | None
    proposes_to: int | None


def hear(table: Table, batch: Sequence[pb.StoredEvent]) -> Heard:
    """What a batch tells after `table`.

    Raises:
        ValueError: a state that this engine cannot read.
    """
    envelopes = [events_pb2.Envelope.FromString(event.envelope) for event in batch]
    before, after = table.state, after_batch(table, batch)
    game = game_of(table.settings, before.playing if before else games_of(table.settings.game)[0])
    dice = before.dice if before else None
    acted_for = [envelope.acted_by_system.seat for envelope in envelopes if envelope.HasField("acted_by_system")]
    actor = envelopes[-1].actor
    seated = {e.seat_taken.seat: e.seat_taken.player for e in envelopes if e.HasField("seat_taken")}
    seated |= {e.player_replaced.seat: e.player_replaced.player for e in envelopes if e.HasField("player_replaced")}
    what = "; ".join(filter(None, (event_words(envelope, game, dice) for envelope in envelopes)))
    ended = [envelope.fact.game_ended for envelope in envelopes if envelope.fact.HasField("game_ended")]
    return Heard(
        seat=actor.seat if actor.HasField("seat") else next(iter(acted_for), None),
        by_service=bool(acted_for),
        envelopes=envelopes,
        what=with_letters(what) if before else what,
        table=after,
        ended=_at_end(table.settings, before, after.state, ended[0]) if before and after.state and ended else None,
        seated=seated,
        back_to=next((e.taken_back.to_sequence for e in envelopes if e.HasField("taken_back")), None),
        proposes_to=next(
            (e.take_back_proposed.to_sequence for e in envelopes if e.HasField("take_back_proposed")), None
        ),
    )


def _at_end(settings: Settings, before: State, after: State, ended: fact_pb2.GameEnded) -> State:
    position = game_of(settings, before.playing).parse(ended.position)
    if isinstance(position, Violation):
        return before
    return replace(before, position=position, score=after.score)


def with_letters(what: str) -> str:
    """A text with its seats by their letters on the board."""
    return _SEAT.sub(lambda seat: LETTERS[int(seat[1])], what)


def name_of(seat: int, looking: int, players: Mapping[int, str]) -> str:
    """A seat's letter on the board and its player; the looking seat itself is You."""
    if seat == looking:
        return "You"
    player = players.get(seat)
    return f"{LETTERS[seat]} ({player})" if player else LETTERS[seat]


def result(settings: Settings, state: State, looking: int, players: Mapping[int, str]) -> str:
    """How it has ended; empty where nobody has won or lost anything yet."""
    if state.over is None:
        return ""
    if not state.over.winners:
        return f"The session has ended: {_scores(settings, state)}."
    winner = state.over.winners[0]
    wins = "win" if winner == looking else "wins"
    return f"{name_of(winner, looking, players)} {wins} the match: {_scores(settings, state)}."


def header(settings: Settings, state: State, looking: int) -> str:
    """One line: the game, the score, the cube, and who looks."""
    number, last = str(state.game_number), settings.play.games if isinstance(settings.play, SessionPlay) else None
    parts = [f"game {number} of {last}" if last else f"game {number}"]
    if len(games_of(settings.game)) > 1:
        parts.append(state.playing.value)
    scores = _scores(settings, state, out=True)
    parts.append(f"{scores} to {settings.play.points}" if isinstance(settings.play, MatchPlay) else scores)
    parts.append(_cube(settings, state))
    parts.append(f"you are {LETTERS[looking]}")
    return "   ".join(parts)


def price(settings: Settings, preview: pb.PreviewActResponse) -> str:
    """What an act would cost and bring; an offer, once it is accepted."""
    if preview.HasField("violation"):
        return f"{preview.violation.reason} (rule {preview.violation.rule})"
    if not preview.points:
        return "It costs nothing yet."
    points = points_from_proto(preview.points)
    return (
        "It comes to " + "  ".join(f"{LETTERS[seat]} {_points(settings, own)}" for seat, own in enumerate(points)) + "."
    )


def board(settings: Settings, state: State, looking: int) -> str:
    """The board of a state."""
    return draw_text(game_of(settings, state.playing).view(state.position), looking)


def _scores(settings: Settings, state: State, *, out: bool = False) -> str:
    """The score by seat. `out`: says who has left the game."""
    told = [f"{LETTERS[seat]} {_points(settings, own)}" for seat, own in enumerate(state.score)]
    return "  ".join(f"{own} out" if out and seat not in state.seats_in else own for seat, own in enumerate(told))


def _points(settings: Settings, own: Fraction) -> str:
    return f"{'+' if own > 0 and isinstance(settings.play, SessionPlay) else ''}{own}"


def _cube(settings: Settings, state: State) -> str:
    cube = state.cube
    if not cube_is_used(settings):
        return "no cube"
    if state.crawford is Crawford.NOW:
        return "Crawford game"
    if cube.last_doubler is not None:
        return f"cube {cube.value} by {LETTERS[cube.last_doubler]}"
    return f"cube {cube.value} with {LETTERS[cube.owner]}" if cube.owner is not None else f"cube {cube.value}"
