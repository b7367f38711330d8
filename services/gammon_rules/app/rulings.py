"""Rulings on stored states. Settings and states are remembered by their bytes, so that only the law costs."""

from collections import OrderedDict
from dataclasses import dataclass

from gammon.rules.v1 import rules_service_pb2 as pb
from gammon.rules.v1 import settings_pb2
from gammon_engine.referee import begin, rule, set_up
from gammon_engine.referee.actions import Action, RollDice
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Crawford, Cube, State
from gammon_engine.registry import game_of
from gammon_engine.settings import RULES_VERSION, Settings
from gammon_engine.violation import Fault, Violation
from gammon_wire.actions import action_from_proto
from gammon_wire.facts import fact_to_proto
from gammon_wire.points import points_from_proto
from gammon_wire.settings import settings_from_proto
from gammon_wire.state import state_from_bytes, state_to_bytes
from gammon_wire.summary import summary_to_proto

REMEMBERED = 16_384


@dataclass(frozen=True, slots=True)
class Misunderstood:
    """A question that cannot be answered: the reason of the contract, and what is wrong with which field."""

    reason: str
    faults: tuple[Fault, ...]


class Rulings:
    """The law, asked with bytes."""

    def __init__(self, remembered: int = REMEMBERED) -> None:
        """`remembered`: how many states are kept parsed."""
        self._remembered = remembered
        self._settings: OrderedDict[bytes, Settings] = OrderedDict()
        self._states: OrderedDict[tuple[bytes, bytes], State] = OrderedDict()

    def begin(self, message: settings_pb2.Settings) -> pb.Ruling | tuple[Fault, ...]:
        """The state that a match with these settings starts from."""
        settings = settings_from_proto(message)
        if isinstance(settings, tuple):
            return settings
        return self._told(_key(message), settings, Ruling(begin(settings), ()))

    def set_up(self, request: pb.SetUpRequest) -> pb.Ruling | tuple[Fault, ...] | Violation:
        """A game in progress, to roll."""
        settings = settings_from_proto(request.settings)
        if isinstance(settings, tuple):
            return settings
        position = game_of(settings).parse(request.position)
        if isinstance(position, Violation):
            return position
        state = set_up(
            settings,
            position,
            request.turn,
            points_from_proto(request.score) or None,
            Cube(request.cube_log2, request.cube_owner if request.HasField("cube_owner") else None),
            Crawford.PLAYED if request.crawford_played else None,
        )
        if isinstance(state, Violation):
            return state
        return self._told(_key(request.settings), settings, Ruling(state, ()))

    def rule(self, question: pb.Question) -> pb.Ruling | Violation | Misunderstood:
        """The ruling on one action."""
        if question.rules_version != RULES_VERSION:
            asked = Fault("rules_version", question.rules_version, "9", f"this service has version {RULES_VERSION}")
            return Misunderstood("UNKNOWN_RULES_VERSION", (asked,))
        key = _key(question.settings)
        settings = self._settings.get(key)
        if settings is None:
            read = settings_from_proto(question.settings)
            if isinstance(read, tuple):
                return Misunderstood("MALFORMED", read)
            settings = self._remember_settings(key, read)
        state = self._states.get((key, question.state))
        if state is None:
            parsed = state_from_bytes(settings, question.state)
            if isinstance(parsed, Violation):
                wrong = Fault(parsed.field or "state", parsed.value, parsed.rule, parsed.reason)
                return Misunderstood("MALFORMED", (wrong,))
            state = parsed
        action = action_from_proto(question.action, state.phase)
        if isinstance(action, Violation):
            return self._first_by_phase(settings, state, question, action)
        ruling = rule(settings, state, action)
        if isinstance(ruling, Violation):
            return ruling
        return self._told(key, settings, ruling)

    def _first_by_phase(self, settings: Settings, state: State, question: pb.Question, missing: Violation) -> Violation:
        """A roll without dice is refused for the phase or the turn, where those forbid it anyway."""
        if question.action.WhichOneof("kind") != "roll" or question.action.roll.dice:
            return missing
        attempt: Action = RollDice(question.action.seat, (1, 1))
        refused = rule(settings, state, attempt)
        return refused if isinstance(refused, Violation) else missing

    def _told(self, key: bytes, settings: Settings, ruling: Ruling) -> pb.Ruling:
        stored = state_to_bytes(settings, ruling.state)
        self._states[key, stored] = ruling.state
        if len(self._states) > self._remembered:
            self._states.popitem(last=False)
        return pb.Ruling(
            state=stored,
            summary=summary_to_proto(ruling.state),
            facts=[fact_to_proto(told) for told in ruling.facts],
        )

    def _remember_settings(self, key: bytes, settings: Settings) -> Settings:
        self._settings[key] = settings
        if len(self._settings) > self._remembered:
            self._settings.popitem(last=False)
        return settings


def _key(message: settings_pb2.Settings) -> bytes:
    return message.SerializeToString(deterministic=True)
