"""Rulings on stored states. Settings and states are remembered by their bytes, so that only the law costs."""

from gammon.rules.v1 import rules_service_pb2 as pb
from gammon.rules.v1 import settings_pb2
from gammon_engine.referee import begin, only_choice, rule, set_up
from gammon_engine.referee.actions import MakePlay
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Crawford, Cube, Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import RULES_VERSION, Settings
from gammon_engine.violation import Fault, Violation
from gammon_rules.app.misunderstood import Misunderstood, Reason, malformed, unsupported, wrong_settings
from gammon_rules.app.remembered import Remembered
from gammon_wire.actions import action_from_proto, action_to_proto
from gammon_wire.facts import fact_to_proto
from gammon_wire.points import MOST_CUBE_LOG2, MOST_POINTS, are_carried, points_from_proto
from gammon_wire.settings import settings_from_proto
from gammon_wire.state import state_from_bytes, state_to_bytes
from gammon_wire.summary import summary_to_proto

REMEMBERED = 16_384
# Keys are the caller's bytes; longer ones than any that we give are not worth their memory.
MOST_KEY_BYTES = 4096

# The engine's names of what is set up, and the contract's.
_SET_UP_FIELDS = {"cube": "cube_log2", "crawford": "crawford_played"}


class Rulings:
    """The law, asked with bytes."""

    def __init__(self, remembered: int = REMEMBERED) -> None:
        """`remembered`: how many states, and how many settings, are kept parsed."""
        self._settings: Remembered[bytes, Settings] = Remembered(remembered)
        self._states: Remembered[tuple[bytes, bytes], State] = Remembered(remembered)

    def begin(self, message: settings_pb2.Settings) -> pb.Ruling | tuple[Fault, ...]:
        """The state that a match with these settings starts from, or all that is wrong with them."""
        settings = settings_from_proto(message)
        if isinstance(settings, tuple):
            return settings
        return self._told(_key(message), settings, Ruling(begin(settings), ()))

    def set_up(self, request: pb.SetUpRequest) -> pb.Ruling | Misunderstood:
        """A game in progress, to roll."""
        settings = settings_from_proto(request.settings)
        if isinstance(settings, tuple):
            return wrong_settings(request.settings, settings, "settings.")
        position = game_of(settings).parse(request.position)
        wrong = []
        if isinstance(position, Violation):
            wrong.append(Fault("position", request.position, position.rule, position.reason))
        if request.turn >= settings.seats:
            wrong.append(Fault("turn", str(request.turn), "1.1", f"seats are 0 to {settings.seats - 1}"))
        if request.cube_log2 > MOST_CUBE_LOG2:
            wrong.append(Fault("cube_log2", str(request.cube_log2), "6.2", f"at most {MOST_CUBE_LOG2}"))
        if not are_carried(request.score):
            wrong.append(Fault("score", "", "7.3", f"is in halves and thirds, up to {MOST_POINTS}"))
        if isinstance(position, Violation) or wrong:
            return malformed(wrong)
        state = set_up(
            settings,
            position,
            request.turn,
            points_from_proto(request.score) or None,
            Cube(
                request.cube_log2,
                request.cube_owner if request.HasField("cube_owner") else None,
                request.last_doubler if request.HasField("last_doubler") else None,
            ),
            Crawford.PLAYED if request.crawford_played else None,
        )
        if isinstance(state, Violation):
            field = _SET_UP_FIELDS.get(state.field, state.field)
            return malformed([Fault(field, state.value, state.rule, state.reason)])
        return self._told(_key(request.settings), settings, Ruling(state, ()))

    def rule(self, question: pb.Question) -> pb.Ruling | Violation | Misunderstood:
        """The ruling on one action."""
        if question.rules_version != RULES_VERSION:
            asked = Fault("rules_version", question.rules_version, "9", f"this service has version {RULES_VERSION}")
            return Misunderstood(Reason.UNKNOWN_RULES_VERSION, (asked,))
        key = _key(question.settings)
        settings = self._settings.get(key) or self._read_settings(key, question.settings)
        if isinstance(settings, Misunderstood):
            return settings
        stored = question.state
        state = self._states.get((key, stored)) or self._read_state(key, settings, stored)
        if isinstance(state, Misunderstood):
            return state
        if question.name_only_choice and not question.HasField("action"):
            return _with_choice(self._told(key, settings, Ruling(state, ())), settings, state)
        action = action_from_proto(question.action, state.phase)
        if isinstance(action, tuple):
            return malformed(action)
        ruling = rule(settings, state, action)
        if isinstance(ruling, Violation):
            return ruling
        if _stake_log2(ruling.state) > MOST_CUBE_LOG2:
            # No rule forbids it (6.2): it is what the contract's numbers can carry.
            raised = question.action.WhichOneof("kind") or ""
            return unsupported([Fault("action.kind", raised, "6.2", f"stakes are served up to 2 ** {MOST_CUBE_LOG2}")])
        told = self._told(key, settings, ruling)
        return _with_choice(told, settings, ruling.state) if question.name_only_choice else told

    def _told(self, key: bytes, settings: Settings, ruling: Ruling) -> pb.Ruling:
        stored = state_to_bytes(settings, ruling.state)
        self._keep_state(key, stored, ruling.state)
        return pb.Ruling(
            state=stored,
            summary=summary_to_proto(ruling.state),
            facts=[fact_to_proto(told) for told in ruling.facts],
        )

    def _read_settings(self, key: bytes, message: settings_pb2.Settings) -> Settings | Misunderstood:
        settings = settings_from_proto(message)
        if isinstance(settings, tuple):
            return wrong_settings(message, settings, "settings.")
        if len(key) <= MOST_KEY_BYTES:
            self._settings.keep(key, settings)
        return settings

    def _read_state(self, key: bytes, settings: Settings, stored: bytes) -> State | Misunderstood:
        state = state_from_bytes(settings, stored)
        if isinstance(state, Violation):
            return malformed([Fault(state.field, state.value, state.rule, state.reason)])
        self._keep_state(key, stored, state)
        return state

    def _keep_state(self, key: bytes, stored: bytes, state: State) -> None:
        if len(key) + len(stored) <= MOST_KEY_BYTES:
            self._states.keep((key, stored), state)


def _with_choice(told: pb.Ruling, settings: Settings, state: State) -> pb.Ruling:
    """The ruling with the only choice that is left after it, where there is just one."""
    choice = only_choice(settings, state)
    if choice is None:
        return told
    named = told.only_choice
    if choice.play is None:
        named.reason = pb.ONLY_CHOICE_REASON_NO_DOUBLE
        named.action.roll.SetInParent()
        named.action.seat = choice.seat
    else:
        named.reason = pb.ONLY_CHOICE_REASON_FORCED
        named.action.CopyFrom(action_to_proto(MakePlay(choice.seat, choice.play)))
    return told


def _key(message: settings_pb2.Settings) -> bytes:
    return message.SerializeToString(deterministic=True)


def _stake_log2(state: State) -> int:
    """The stake if a double that is open is taken, as its power of two."""
    return state.cube.exponent + (state.phase is Phase.DOUBLED)
