"""The table that a match is played at: who sits where and prefers what, the pause, the clock, absences, proposals."""

from dataclasses import dataclass, replace
from typing import assert_never

from gammon_match.core.events import LawFact, SeatTaken
from gammon_match.core.table_events import (
    NO_PREFERENCES,
    AbsenceChange,
    AbsenceTimed,
    ActedBySystem,
    ClockStamped,
    DirectorRuled,
    FlagFell,
    MatchPaused,
    MatchResumed,
    PauseAsked,
    PlayerReplaced,
    Preferences,
    PreferencesSet,
    TableEvent,
    TakeBackAnswered,
    TakeBackProposed,
    TakenBack,
)


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a seat, the key their acts are signed with (empty: none), and what the service does for them."""

    player: str
    public_key: bytes
    preferences: Preferences = NO_PREFERENCES


@dataclass(frozen=True, slots=True)
class Proposal:
    """A take-back that waits for answers: who proposed it, to which batch end, who consents, and where it was said."""

    seat: int
    to_sequence: int
    consenting: tuple[int, ...]
    sequence: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table after some events of its match.

    `seats_sequence`, `ruled_sequence`: where it was last said who sits where, and where a director last ruled or play
    was taken back; 0: never. `clock`: as last stamped. `budgets`: what remained for pauses when it was last told, in
    ns by seat; None: as agreed. `asking`: the seats that want a pause that not all want yet. `absent`: the seats whose
    absence is timed, each with the sequence that its timer was started at. Likewise `clock_sequence` and
    `pause_sequence`.
    """

    holders: tuple[tuple[int, Holder], ...] = ()
    seats_sequence: int = 0
    ruled_sequence: int = 0
    clock: ClockStamped | None = None
    clock_sequence: int = 0
    pause: MatchPaused | None = None
    pause_sequence: int = 0
    budgets: tuple[int, ...] | None = None
    asking: tuple[int, ...] = ()
    absent: tuple[tuple[int, int], ...] = ()
    proposal: Proposal | None = None

    @property
    def lets_act(self) -> bool:
        """Whether any seat lets the service do something for it."""
        return any(holder.preferences != NO_PREFERENCES for _, holder in self.holders)


EMPTY_TABLE = Table()


def arrange(table: Table, sequence: int, event: SeatTaken | LawFact | TableEvent) -> Table:
    """The table after one more event of its match."""
    match event:
        case LawFact():
            # Play has gone on since: what was proposed is not about this position any more.
            return table if table.proposal is None else replace(table, proposal=None)
        case SeatTaken(seat, player, public_key, _, preferences):
            held = Holder(player, public_key, preferences)
            return replace(table, holders=_seated(table, seat, held), seats_sequence=sequence)
        case PlayerReplaced(seat, player, public_key):
            held = Holder(player, public_key)
            return replace(
                table,
                holders=_seated(table, seat, held),
                seats_sequence=sequence,
                asking=_without(table.asking, seat),
                proposal=None,
            )
        case PreferencesSet(seat, preferences):
            holder = next(holder for number, holder in table.holders if number == seat)
            return replace(table, holders=_seated(table, seat, replace(holder, preferences=preferences)))
        case DirectorRuled():
            return replace(table, ruled_sequence=sequence)
        case TakenBack():
            return replace(table, ruled_sequence=sequence, proposal=None)
        case TakeBackProposed(seat, to_sequence):
            return replace(table, proposal=Proposal(seat, to_sequence, (seat,), sequence))
        case TakeBackAnswered(seat, accepted):
            if not accepted or table.proposal is None:
                return replace(table, proposal=None)
            consenting = (*table.proposal.consenting, seat)
            return replace(table, proposal=replace(table.proposal, consenting=consenting))
        case MatchPaused(_, _, _, budgets):
            return replace(table, pause=event, pause_sequence=sequence, budgets=budgets or table.budgets, asking=())
        case MatchResumed(budgets):
            return replace(table, pause=None, budgets=budgets or table.budgets, asking=())
        case PauseAsked(seat, withdrawn):
            others = _without(table.asking, seat)
            return replace(table, asking=others if withdrawn else (*others, seat))
        case ClockStamped():
            return replace(table, clock=event, clock_sequence=sequence)
        case AbsenceTimed(seat, change):
            timed = tuple(absence for absence in table.absent if absence[0] != seat)
            return replace(table, absent=(*timed, (seat, sequence)) if change is AbsenceChange.STARTED else timed)
        case FlagFell() | ActedBySystem():
            return table
        case _:
            assert_never(event)


def _seated(table: Table, seat: int, holder: Holder) -> tuple[tuple[int, Holder], ...]:
    others = tuple(held for held in table.holders if held[0] != seat)
    return tuple(sorted((*others, (seat, holder)), key=lambda held: held[0]))


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in seats if other != seat)
