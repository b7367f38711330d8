"""What the service does for seats that let it: it rolls where no double is possible, and makes the only play."""

from gammon_match.app.identity import request_digest
from gammon_match.app.law import Law, OnlyChoice
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import DiceBox, DurabilityLevel
from gammon_match.app.recording import Recorder
from gammon_match.app.turn import Act, Turn, decide, place_of
from gammon_match.app.writing import Written
from gammon_match.core.events import DiceSource, Status, System
from gammon_match.core.refusals import DurabilityNotOffered, NotStarted
from gammon_match.core.table_events import ActedBySystem, Preferences, SystemReason

# What one call may do before somebody acts again; two seats with nothing left to choose can race home in this many.
MOST_IN_A_ROW = 64

# No request of a client begins like this.
PREFIX = "auto."


def automatic_request_id(head_sequence: int) -> str:
    """The request id of what the service does by itself at a head: it is done once, by whichever process."""
    return f"{PREFIX}{head_sequence}"


class AutomaticActs:
    """Acts for seats by their preferences, each act a batch of its own with its reason."""

    def __init__(self, law: Law, recorder: Recorder, dice: DiceBox) -> None:
        """Builds it on the law, the recorder and the dice."""
        self._law = law
        self._recorder = recorder
        self._dice = dice

    async def run(self, live: LiveMatch) -> None:
        """Does what is to be done now; takes the match's lock, so the caller must not hold it.

        To be called whenever a match may have come to a seat that lets the service act: after a batch was stored, and
        by who takes a match over. It can be called at any time: it does nothing where nothing is to be done, and stops
        where somebody else was first, or store or rules are away.
        """
        if not live.match.table.lets_act:
            return
        level = self._recorder.level(None)
        if isinstance(level, DurabilityNotOffered):
            return
        async with live.lock:
            if self._recorder.time.elsewhere(live) is not None or await self._recorder.settle(live) is not None:
                return
            for _ in range(MOST_IN_A_ROW):
                if not await self._act_once(live, level):
                    return

    async def _act_once(self, live: LiveMatch, level: DurabilityLevel) -> bool:
        """Whether something was done, and something else may follow."""
        if not _is_for_the_service(live):
            return False
        choice = await self._choice(live)
        place = place_of(live)
        if choice is None or isinstance(place, NotStarted):
            return False
        digest = request_digest(bytes([choice.seat]), choice.action)
        act = Act(choice.action, choice.roll, choice.seat, digest)
        turn = await decide(self._law, place, act, self._dice.throw, DiceSource.SERVICE, throws_on=True)
        if not isinstance(turn, Turn):
            return False
        said = (ActedBySystem(choice.seat, choice.reason),)
        writing = turn.writing(live, System(), automatic_request_id(live.head.sequence), said)
        return isinstance(await self._recorder.write(live, writing, level), Written)

    async def _choice(self, live: LiveMatch) -> OnlyChoice | None:
        """The only choice of the seat on turn, if that seat lets the service make it."""
        terms = live.terms()
        choice = await self._law.only_choice(terms.rules_version, terms.rules, live.match.state)
        if not isinstance(choice, OnlyChoice):
            return None
        holder = live.match.holder(choice.seat)
        return choice if holder is not None and _allows(holder.preferences, choice.reason) else None


def _is_for_the_service(live: LiveMatch) -> bool:
    """Whether play waits for a seat with preferences. What waits for a take-back's answer is not played over."""
    match = live.match
    standing = match.standing
    if match.status is not Status.PLAYING or standing is None or match.table.proposal is not None:
        return False
    if len(standing.seats_to_act) != 1:
        return False
    holder = match.holder(standing.seats_to_act[0])
    reason = SystemReason.FORCED if standing.draw is None else SystemReason.NO_DOUBLE
    return holder is not None and _allows(holder.preferences, reason)


def _allows(preferences: Preferences, reason: SystemReason) -> bool:
    return preferences.roll_without_choice if reason is SystemReason.NO_DOUBLE else preferences.play_forced
