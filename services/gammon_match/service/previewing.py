"""What a preview tells: the summary after the act or the rule it breaks, and what each seat would win or lose."""

from collections.abc import Sequence

from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import action_pb2, fact_pb2, play_pb2
from gammon_match.app.preview import Previewed
from gammon_match.core.refusals import Unlawful

# Acts that another seat has to accept before they cost anything (rules 1.11, 8.1, 8.6), and that acceptance.
OFFERS = ("resign", "settle", "no_result")
ACCEPT = action_pb2.Action(accept=action_pb2.Accept()).SerializeToString(deterministic=True)


def preview_of(previewed: Previewed) -> pb.PreviewActResponse:
    """The answer."""
    response = pb.PreviewActResponse()
    answer = previewed.answer
    if isinstance(answer, Unlawful):
        violation = play_pb2.Violation(rule=answer.rule, reason=answer.reason, field=answer.field, value=answer.value)
        response.violation.CopyFrom(violation)
        return response
    response.summary.MergeFromString(answer.raw)
    response.points.extend(_points([fact_pb2.Fact.FromString(fact) for fact in previewed.facts], response))
    return response


def _points(facts: Sequence[fact_pb2.Fact], response: pb.PreviewActResponse) -> Sequence[play_pb2.Points]:
    """What a game that ends pays, else what a seat that leaves pays at once (rule 6.10); empty: nothing yet."""
    left: Sequence[play_pb2.Points] = ()
    for fact in facts:
        match fact.WhichOneof("kind"):
            case "game_ended":
                return fact.game_ended.points
            case "seat_left":
                paid = fact.seat_left.paid
                nothing = [play_pb2.Points() for _ in response.summary.score]
                nothing[fact.seat_left.seat].CopyFrom(
                    play_pb2.Points(numerator=-paid.numerator, denominator=paid.denominator)
                )
                left = nothing
    return left
