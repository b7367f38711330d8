"""Who is there: the people who watch a match in this process, and the seats that they hold. It is never stored."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Crowd:
    """The watchers of one match: how many watches each person has open, and who holds which seat."""

    watches: Counter[str] = field(default_factory=Counter)
    holders: Mapping[int, str] = field(default_factory=dict)
    seats: frozenset[int] = frozenset()


class Presence:
    """Who is there, match by match. `changed`: told the match id when the set of present seats becomes another."""

    def __init__(self, changed: Callable[[str], None] = lambda _match_id: None) -> None:
        """`changed` may be set later; it is called at once, within the call that brings the change."""
        self.changed = changed
        self._crowds: dict[str, _Crowd] = {}

    def present(self, match_id: str) -> frozenset[int]:
        """The seats whose holder has a watch of the match open in this process."""
        crowd = self._crowds.get(match_id)
        return frozenset() if crowd is None else crowd.seats

    def spectators(self, match_id: str) -> int:
        """How many people watch who hold no seat; several watches of one person are one."""
        crowd = self._crowds.get(match_id)
        return 0 if crowd is None else len(crowd.watches.keys() - crowd.holders.values())

    def arrive(self, match_id: str, person: str, holders: Mapping[int, str]) -> None:
        """A watch is opened. `holders`: who holds the seats of the match now."""
        crowd = self._crowds.setdefault(match_id, _Crowd())
        crowd.watches[person] += 1
        self.seat(match_id, holders)

    def depart(self, match_id: str, person: str) -> None:
        """A watch that was opened ends."""
        crowd = self._crowds[match_id]
        crowd.watches[person] -= 1
        if not crowd.watches[person]:
            del crowd.watches[person]
        if not crowd.watches:
            del self._crowds[match_id]
        self._settle(match_id, crowd)

    def seat(self, match_id: str, holders: Mapping[int, str]) -> None:
        """Says who holds the seats from now on; where nobody watches it need not be said."""
        crowd = self._crowds.get(match_id)
        if crowd is not None:
            crowd.holders = holders
            self._settle(match_id, crowd)

    def _settle(self, match_id: str, crowd: _Crowd) -> None:
        seats = frozenset(seat for seat, holder in crowd.holders.items() if holder in crowd.watches)
        if seats != crowd.seats:
            crowd.seats = seats
            self.changed(match_id)
