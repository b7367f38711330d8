"""What the service does for seats that let it: it rolls where no double is possible, and makes the only play."""

import asyncio
from typing import TypeAlias

import structlog
from tenacity import AsyncRetrying, RetryCallState, retry_if_result, stop_after_delay, wait_random_exponential

from gammon_match.app.identity import request_digest
from gammon_match.app.law import Away, Law, OnlyChoice
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import DiceBox, DurabilityLevel
from gammon_match.app.recording import Recorder
from gammon_match.app.turn import Act, Turn, decide, place_of
from gammon_match.app.writing import Written
from gammon_match.core.events import DiceSource, Status, System
from gammon_match.core.refusals import DurabilityNotOffered, NotStarted, Refusal, RulesAway, StoreAway, Unknown
from gammon_match.core.table_events import ActedBySystem, Preferences, SystemReason

# What one call may do before somebody acts again; two seats with nothing left to choose can race home in this many.
MOST_IN_A_ROW = 64

# How long it is tried again while rules or store are away. After that it waits for the next request on the match.
FIRST_PAUSE_S = 0.2
LONGEST_PAUSE_S = 10.0
AGAIN_FOR_S = 600.0

# What an act becomes; None: there is none for the service to do.
_Outcome: TypeAlias = Written | Refusal | Away | None
_PASSING = Away | RulesAway | StoreAway | Unknown
LOG = structlog.get_logger("automatic")

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
        self._again: dict[str, asyncio.Task[None]] = {}
        self._is_closed = False

    async def run(self, live: LiveMatch) -> None:
        """Does what is to be done now; takes the match's lock, so the caller must not hold it.

        To be called whenever a match may have come to a seat that lets the service act: after a batch was stored, and
        by who takes a match over. It can be called at any time: it does nothing where nothing is to be done, and stops
        where somebody else was first. Where store or rules are away it is tried again, after this has returned.
        """
        try:
            halfway = await self._stopped_halfway(live)
        except asyncio.CancelledError:
            # Whoever waited for it went away, and what is to be done is there all the same.
            self._begin_again(live)
            raise
        if halfway:
            self._begin_again(live)

    async def close(self) -> None:
        """Ends what would be tried again."""
        self._is_closed = True
        again = tuple(self._again.values())
        for task in again:
            task.cancel()
        await asyncio.gather(*again, return_exceptions=True)

    def _begin_again(self, live: LiveMatch) -> None:
        if self._is_closed or live.match_id in self._again:
            return
        self._again[live.match_id] = task = asyncio.create_task(self._try_again(live))
        task.add_done_callback(lambda _: self._again.pop(live.match_id))

    async def _try_again(self, live: LiveMatch) -> None:
        def give_up(_: RetryCallState) -> None:
            LOG.warning("given up", match_id=live.match_id, sequence=live.head.sequence)

        again = AsyncRetrying(
            retry=retry_if_result(bool),
            wait=wait_random_exponential(multiplier=FIRST_PAUSE_S, max=LONGEST_PAUSE_S),
            stop=stop_after_delay(AGAIN_FOR_S),
            retry_error_callback=give_up,
        )
        try:
            await again(self._stopped_halfway, live)
        except Exception:
            LOG.exception("automatic", match_id=live.match_id)

    async def _stopped_halfway(self, live: LiveMatch) -> bool:
        """Does what is to be done now; whether something is left of it, because store or rules are away."""
        if not live.match.table.lets_act:
            return False
        level = self._recorder.level(None)
        if isinstance(level, DurabilityNotOffered):
            return False
        async with live.lock:
            if self._recorder.time.elsewhere(live) is not None:
                return False
            fault = await self._recorder.settle(live)
            if fault is not None:
                return isinstance(fault, _PASSING)
            for _ in range(MOST_IN_A_ROW):
                outcome = await self._act_once(live, level)
                if not isinstance(outcome, Written):
                    return isinstance(outcome, _PASSING)
        return False

    async def _act_once(self, live: LiveMatch, level: DurabilityLevel) -> _Outcome:
        if not _is_for_the_service(live):
            return None
        choice = await self._choice(live)
        place = place_of(live)
        if not isinstance(choice, OnlyChoice):
            return choice
        if isinstance(place, NotStarted):
            return place
        digest = request_digest(bytes([choice.seat]), choice.action)
        act = Act(choice.action, choice.roll, choice.seat, digest)
        turn = await decide(self._law, place, act, self._dice.throw, DiceSource.SERVICE, throws_on=True)
        if not isinstance(turn, Turn):
            return turn
        said = (ActedBySystem(choice.seat, choice.reason),)
        writing = turn.writing(live, System(), automatic_request_id(live.head.sequence), said)
        return await self._recorder.write(live, writing, level)

    async def _choice(self, live: LiveMatch) -> OnlyChoice | Away | None:
        """The only choice of the seat on turn, if that seat lets the service make it."""
        terms = live.terms()
        choice = await self._law.only_choice(terms.rules_version, terms.rules, live.match.state)
        if not isinstance(choice, OnlyChoice):
            return choice if isinstance(choice, Away) else None
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
