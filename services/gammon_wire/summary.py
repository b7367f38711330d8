"""A state in short, as the contract's summary."""

from gammon.rules.v1 import state_pb2 as pb
from gammon_engine.referee.state import Ended, State
from gammon_engine.referee.summary import summary
from gammon_wire import words
from gammon_wire.points import points_to_proto


def summary_to_proto(state: State) -> pb.Summary:
    """What a match service needs to know of a state."""
    told = summary(state)
    message = pb.Summary(
        phase=words.PHASES[told.phase],
        seats_to_act=told.seats_to_act,
        score=points_to_proto(told.score),
        game_number=told.game_number,
        playing=words.GAMES[state.playing],
    )
    if told.draw is not None:
        draw = message.draw
        draw.count, draw.purpose = told.draw.count, words.PURPOSES[told.draw.purpose]
        draw.seats.extend(told.draw.seats)
        draw.at_once = told.draw.at_once
    if told.over is not None:
        message.result.winners.extend(told.over.winners)
        message.result.score.extend(points_to_proto(told.score))
        message.result.match = told.over.kind is Ended.MATCH
    return message
