"""The law itself as the match service asks it, without a wire."""

from dataclasses import dataclass, field

from gammon.rules.v1 import action_pb2, rules_service_pb2, settings_pb2
from gammon_engine.settings import RULES_VERSION
from gammon_engine.violation import Violation
from gammon_match.adapters.codec import standing_of
from gammon_match.adapters.rules_client import choice_of, offered
from gammon_match.app.law import Away, Begun, Broken, Faulty, GameOffered, OnlyChoice, Question, Ruled
from gammon_match.core.refusals import FieldFault
from gammon_rules.app import catalogue
from gammon_rules.app.misunderstood import Misunderstood
from gammon_rules.app.rulings import Rulings


@dataclass
class LocalLaw:
    """The law without a wire. `away`: it does not answer."""

    rulings: Rulings = field(default_factory=Rulings)
    away: bool = False
    asked_for_choices: int = 0

    async def begin(self, rules: bytes) -> Begun | Faulty | Away:
        if self.away:
            return Away("told to be away")
        ruling = self.rulings.begin(settings_pb2.Settings.FromString(rules))
        if isinstance(ruling, tuple):
            at = "settings.rules."
            return Faulty(tuple(FieldFault(at + f.field, f.value, f.rule, f.reason) for f in ruling))
        return Begun(RULES_VERSION, ruling.state, standing_of(ruling.summary))

    async def games(self) -> tuple[GameOffered, ...] | Away:
        return Away("told to be away") if self.away else offered(catalogue.games())

    async def rule(self, question: Question) -> Ruled | Broken | Faulty | Away:
        if self.away:
            return Away("told to be away")
        action = action_pb2.Action.FromString(question.action)
        if question.seat is not None:
            action.seat = question.seat
        if question.dice is not None:
            action.roll.dice[:] = question.dice
        answer = self.rulings.rule(
            rules_service_pb2.Question(
                rules_version=question.rules_version,
                settings=settings_pb2.Settings.FromString(question.settings),
                state=question.state,
                action=action,
            )
        )
        if isinstance(answer, Violation):
            return Broken(answer.rule, answer.reason, answer.field, answer.value)
        if isinstance(answer, Misunderstood):
            return Faulty(tuple(FieldFault(f.field, f.value, f.rule, f.reason) for f in answer.faults))
        ends = {fact.WhichOneof("kind"): fact.SerializeToString() for fact in answer.facts}
        return Ruled(
            answer.state,
            standing_of(answer.summary),
            tuple(fact.SerializeToString() for fact in answer.facts),
            ends.get("game_ended"),
            ends.get("play_ended"),
        )

    async def only_choice(self, rules_version: str, settings: bytes, state: bytes) -> OnlyChoice | Faulty | Away | None:
        if self.away:
            return Away("told to be away")
        self.asked_for_choices += 1
        asked = rules_service_pb2.Question(
            rules_version=rules_version,
            settings=settings_pb2.Settings.FromString(settings),
            state=state,
            name_only_choice=True,
        )
        answer = self.rulings.rule(asked)
        assert isinstance(answer, rules_service_pb2.Ruling), answer
        return choice_of(answer)
