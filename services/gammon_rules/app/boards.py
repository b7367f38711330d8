"""Plays of a roll on a board: listed, counted, built step by step, read; and the board drawn."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from gammon.rules.v1 import play_pb2, settings_pb2
from gammon.rules.v1 import rules_service_pb2 as pb
from gammon_drawing.svg import draw_svg
from gammon_drawing.text import draw_text
from gammon_engine.game import Game
from gammon_engine.play import Play, Roll
from gammon_engine.position import Position
from gammon_engine.registry import game_of, is_played
from gammon_engine.settings import GameId, Settings
from gammon_engine.standing import no_turn
from gammon_engine.violation import Fault, Violation
from gammon_rules.app.misunderstood import Misunderstood, malformed, wrong_settings
from gammon_wire.plays import outcome_to_proto, steps_from_proto, steps_to_proto
from gammon_wire.settings import settings_from_proto


@dataclass(frozen=True, slots=True)
class Board:
    """A position with a seat to play a roll."""

    game: Game
    position: Position
    seat: int
    roll: Roll


def board(question: pb.PlayQuestion) -> Board | Misunderstood:
    """The board of a question, or all that is wrong with it."""
    settings = board_settings(question.settings)
    if isinstance(settings, tuple):
        return wrong_settings(question.settings, settings, "settings.")
    game = game_of(settings)
    wrong: list[Fault] = []
    position = game.parse(question.position)
    if isinstance(position, Violation):
        wrong.append(Fault("position", question.position, position.rule, position.reason))
    elif over := no_turn(game, position, question.seat):
        wrong.append(Fault("position", question.position, over.rule, over.reason))
    if question.seat >= game.seats:
        wrong.append(Fault("seat", str(question.seat), "1.1", f"seats are 0 to {game.seats - 1}"))
    roll = tuple(question.roll)
    if len(roll) != 2 or any(not 1 <= die <= 6 for die in roll):
        wrong.append(Fault("roll", str(list(roll)), "1.1", "a roll is two dice from 1 to 6"))
    if isinstance(position, Violation) or wrong:
        return malformed(wrong)
    return Board(game, position, question.seat, (roll[0], roll[1]))


def board_settings(message: settings_pb2.Settings) -> Settings | tuple[Fault, ...]:
    """Settings for a board alone: the kind of play may be left out, and a mixed match is no board."""
    if message.game == settings_pb2.GAME_GAMMON and is_played(GameId.GAMMON):
        return (Fault("game", "gammon", "7.6", "name the game on the board"),)
    if message.WhichOneof("play") is not None:
        return settings_from_proto(message)
    filled = settings_pb2.Settings()
    filled.CopyFrom(message)
    filled.session.SetInParent()
    return settings_from_proto(filled)


def legal_plays(asked: Board, *, counts_only: bool = False) -> pb.LegalPlays:
    """All legal plays, sorted by resulting position."""
    plays = asked.game.legal_plays(asked.position, asked.seat, asked.roll)
    texts = {asked.game.text(result): result for result in plays}
    ordered = sorted(texts)
    told = pb.LegalPlays(
        count=len(ordered),
        sha256=hashlib.sha256("\n".join(ordered).encode()).digest(),
        forced=len(ordered) == 1,
    )
    if not counts_only:
        told.plays.extend(legal_play(asked, plays.way(texts[text])) for text in ordered)
    return told


def legal_play(asked: Board, play: Play) -> pb.LegalPlay:
    """One legal play with its result."""
    after, marked = asked.game.apply(asked.position, asked.seat, play)
    told = pb.LegalPlay(
        position=asked.game.text(after), steps=steps_to_proto(marked), text=asked.game.write_play(marked)
    )
    outcome = asked.game.outcome(after, asked.seat)
    if outcome is not None:
        told.outcome.CopyFrom(outcome_to_proto(outcome))
        told.outcome.SetInParent()
    return told


def next_steps(asked: Board, chosen: Iterable[play_pb2.Step]) -> pb.ListNextStepsResponse | Misunderstood:
    """The steps that lead on from those chosen; refused where these lead to no legal play."""
    play = steps_from_proto(chosen)
    found = asked.game.next_steps(asked.position, asked.seat, asked.roll, play)
    if isinstance(found, Violation):
        # What the law calls the play is here the field that holds it.
        field = found.field.replace("play", "chosen")
        return malformed([Fault(field, found.value, found.rule, found.reason)])
    return pb.ListNextStepsResponse(
        steps=steps_to_proto(found.steps), complete=found.complete, position=asked.game.text(found.position)
    )


def read_play(asked: Board, text: str) -> pb.LegalPlay | Violation:
    """A play's text in normal form, if it is legal."""
    play = asked.game.read_play(text, asked.position, asked.seat, asked.roll)
    return play if isinstance(play, Violation) else legal_play(asked, play)


def draw(request: pb.DrawPositionRequest) -> str | Misunderstood:
    """A position as text for a terminal, or as an SVG document."""
    settings = board_settings(request.settings)
    if isinstance(settings, tuple):
        return wrong_settings(request.settings, settings, "settings.")
    game = game_of(settings)
    wrong: list[Fault] = []
    position = game.parse(request.position)
    if isinstance(position, Violation):
        wrong.append(Fault("position", request.position, position.rule, position.reason))
    if request.seat >= game.seats:
        wrong.append(Fault("seat", str(request.seat), "1.1", f"seats are 0 to {game.seats - 1}"))
    if request.form not in pb.DrawingForm.values():
        wrong.append(Fault("form", str(request.form), "9", "is not known"))
    if isinstance(position, Violation) or wrong:
        return malformed(wrong)
    drawn = draw_svg if request.form == pb.DRAWING_FORM_SVG else draw_text
    return drawn(game.view(position), request.seat)
