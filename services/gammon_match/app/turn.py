"""What one act amounts to: dice where the state needs them, the law's rulings, and the events they make."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from gammon_match.app.law import Away, Broken, Faulty, Law, Question, Ruled
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.writing import Writing
from gammon_match.core.events import (
    Actor,
    BatchEnd,
    CloseReason,
    DiceDrawn,
    DiceSource,
    Draw,
    DrawRequested,
    Event,
    LawFact,
    MatchClosed,
    Standing,
    Status,
)
from gammon_match.core.refusals import Malformed, NotStarted, Refusal, RulesAway, Unlawful, Unsupported

# A tied opening throw is thrown again at once. A batch holds 64 events; past this many the next act throws on.
MOST_EVENTS_BEFORE_A_THROW = 48


@dataclass(frozen=True, slots=True)
class Place:
    """Where an act is decided: the law's settings and version, the state, what is read of it, the draws so far."""

    rules: bytes
    rules_version: str
    state: bytes
    standing: Standing
    draws: int


def place_of(live: LiveMatch) -> Place | NotStarted:
    """Where a match stands now."""
    match, terms = live.match, live.terms()
    if match.standing is None:
        return NotStarted(terms.seats - len(match.holders))
    return Place(terms.rules, terms.rules_version, match.state, match.standing, match.draws)


@dataclass(frozen=True, slots=True)
class Turn:
    """An act that the law allows: its events in order, and what stands after them."""

    events: tuple[Event, ...]
    end: BatchEnd
    game_ended: bytes | None
    play_ended: bytes | None

    def writing(self, live: LiveMatch, actor: Actor, request_id: str, said_first: tuple[Event, ...] = ()) -> Writing:
        """The batch of this turn for the match it was decided in; `said_first` stands before what came of it."""
        # A ruling that does not close the match leaves a pause as it is.
        status = self.end.status if self.end.status is Status.CLOSED else live.match.status
        return Writing(
            actor,
            request_id,
            (*said_first, *self.events),
            replace(self.end, seats_sequence=live.match.seats_sequence, status=status),
            game_ended=self.game_ended,
            play_ended=self.play_ended,
        )


@dataclass(frozen=True, slots=True)
class Act:
    """An act as it was asked for: `roll` says whether it asks for dice."""

    action: bytes
    roll: bool
    seat: int | None
    digest: bytes


Throw = Callable[[int], tuple[int, ...]]


async def decide(
    law: Law, place: Place, act: Act, throw: Throw, source: DiceSource, *, throws_on: bool
) -> Turn | Refusal:
    """Rules on an act. Dice are thrown only where the state needs them, and count only with the ruling on them.

    `throws_on`: whether dice that are due without anybody asking are thrown in the same batch.
    """
    events: list[Event] = []
    state, standing, draws = place.state, place.standing, place.draws
    game_ended = play_ended = None
    seat, action = act.seat, act.action
    while True:
        dice = None
        if act.roll and _may_ask(standing.draw, seat):
            assert standing.draw is not None
            draws += 1
            dice = throw(standing.draw.count)
            events.append(DrawRequested(draws, standing.draw.count, standing.draw.purpose, seat))
            events.append(DiceDrawn(draws, dice, source))
        ruled = await law.rule(Question(place.rules_version, place.rules, state, action, seat, dice))
        if not isinstance(ruled, Ruled):
            return refused(ruled)
        events.extend(LawFact(fact) for fact in ruled.facts)
        game_ended = ruled.game_ended or game_ended
        play_ended = ruled.play_ended or play_ended
        state, standing = ruled.state, ruled.standing
        due = act.roll and standing.draw is not None and standing.draw.at_once
        if not (due and throws_on and len(events) < MOST_EVENTS_BEFORE_A_THROW):
            break
        seat = None
    status = Status.PLAYING
    if standing.over:
        events.append(MatchClosed(CloseReason.PLAYED))
        status = Status.CLOSED
    end = BatchEnd(act.digest, state, standing, status, draws, 0)
    return Turn(tuple(events), end, game_ended, play_ended)


async def rule_without_dice(law: Law, place: Place, act: Act) -> Turn | Refusal:
    """Rules on an act that asks for no dice, such as a ruling of a director."""
    assert not act.roll, "this act asks for dice"
    return await decide(law, place, act, _nothing, DiceSource.SERVICE, throws_on=False)


def _nothing(_: int) -> tuple[int, ...]:
    return ()


def _may_ask(draw: Draw | None, seat: int | None) -> bool:
    if draw is None:
        return False
    return draw.at_once if seat is None else seat in draw.seats


def refused(ruled: Broken | Faulty | Away) -> Refusal:
    """Why there is no ruling."""
    match ruled:
        case Broken(rule, reason, field, value):
            return Unlawful(rule, reason, field, value)
        case Faulty(faults, supported):
            return Malformed(faults) if supported else Unsupported(faults)
        case Away(cause):
            return RulesAway(cause)
