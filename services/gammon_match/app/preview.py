"""What an act would do, asked of the law at the head of a match and stored nowhere."""

from dataclasses import dataclass

from gammon_match.app.law import Away, Broken, Faulty, Law, Question, Ruled
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.turn import Place, place_of, refused
from gammon_match.core.events import Standing, Status
from gammon_match.core.refusals import MatchIsClosed, NotStarted, NotYourSeat, Refusal, Unlawful


@dataclass(frozen=True, slots=True)
class Preview:
    """A request to look ahead, at something without dice: nobody sees a throw before it counts.

    `action`: the contract action's bytes; `accept`: those of accepting it, if it is an offer.
    """

    match_id: str
    player: str
    seat: int
    action: bytes
    accept: bytes | None


@dataclass(frozen=True, slots=True)
class Previewed:
    """What would stand after the act, or the rule it breaks; and the facts, bytes, that settle what it costs.

    Those are the act's own, or of an offer those of its acceptance by all who must answer.
    """

    answer: Standing | Unlawful
    facts: tuple[bytes, ...]


class PreviewHandler:
    """Looks ahead for the holder of a seat."""

    def __init__(self, law: Law, live: LiveMatches) -> None:
        """Builds the handler on the law and the matches in memory."""
        self._law = law
        self._live = live

    async def __call__(self, command: Preview) -> Previewed | Refusal:
        """What the act would lead to now, or why there is no saying."""
        live = await self._live.current(command.match_id)
        if not isinstance(live, LiveMatch):
            return live
        match, place = live.match, place_of(live)
        if not match.holds(command.seat, command.player):
            return NotYourSeat(command.seat)
        if match.status is Status.CLOSED:
            return MatchIsClosed(match.sequence)
        if isinstance(place, NotStarted):
            return place
        return await self._ahead(place, command)

    async def _ahead(self, place: Place, command: Preview) -> Previewed | Refusal:
        ruled = await self._rule(place, place.state, command.action, command.seat)
        match ruled:
            case Broken():
                return Previewed(Unlawful(ruled.rule, ruled.reason, ruled.field, ruled.value), ())
            case Faulty() | Away():
                return refused(ruled)
        if command.accept is None:
            return Previewed(ruled.standing, ruled.facts)
        accepted = await self._accepted(place, ruled, command.accept)
        return Previewed(ruled.standing, accepted.facts) if isinstance(accepted, Ruled) else refused(accepted)

    async def _accepted(self, place: Place, offered: Ruled, accept: bytes) -> Ruled | Broken | Faulty | Away:
        """The last of the acceptances that an offer needs, one of each seat that has to answer."""
        ruled: Ruled | Broken | Faulty | Away = offered
        for seat in offered.standing.seats_to_act:
            if not isinstance(ruled, Ruled):
                break
            ruled = await self._rule(place, ruled.state, accept, seat)
        return ruled

    async def _rule(self, place: Place, state: bytes, action: bytes, seat: int) -> Ruled | Broken | Faulty | Away:
        return await self._law.rule(Question(place.rules_version, place.rules, state, action, seat, None))
