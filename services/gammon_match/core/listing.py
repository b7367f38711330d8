"""A match's entry in lists: what it says, which facets it is found under, and who may see it."""

from dataclasses import dataclass

from gammon_match.core.events import Status
from gammon_match.core.sight import Viewer

# Facets beside those of a player, a tag, a status and a game: not closed, and in need of somebody who times it.
OPEN = "open"
TIMED = "timed"


@dataclass(frozen=True, slots=True)
class Listing:
    """An entry; `raw` is the whole of it, stored and shown as it is.

    `players`: by seat, who holds it or else whom it is reserved for; empty: nobody.
    """

    status: Status
    players: tuple[str, ...]
    creator: str
    game: int
    tags: tuple[str, ...]
    created_ns: int
    private: bool
    raw: bytes

    @property
    def is_open(self) -> bool:
        """Whether the match is not closed."""
        return self.status is not Status.CLOSED

    def is_shown_to(self, viewer: Viewer) -> bool:
        """Whether lists show the match: a private one only to those whose match it is, and to officials."""
        return viewer.official or not self.private or viewer.player in self.insiders

    @property
    def insiders(self) -> frozenset[str]:
        """Whose match it is: the players and the creator."""
        return frozenset(filter(None, (*self.players, self.creator)))

    def facets(self, *, timed: bool) -> frozenset[str]:
        """What the match is found under; `timed`: whether somebody times it."""
        statuses = {self.status}
        if self.status is Status.AWAITING_DRAW:
            statuses.add(Status.PLAYING)
        return frozenset(
            (
                *map(of_player, self.insiders),
                *map(of_tag, self.tags),
                *map(of_status, statuses),
                of_game(self.game),
                *((OPEN,) if self.is_open else ()),
                *((TIMED,) if timed else ()),
            )
        )


@dataclass(frozen=True, slots=True)
class ListingChange:
    """What a batch changes of a match's place in lists.

    `listing`: the entry's bytes (None: it reads as before). `facets`: all that the match is found under now; `gone`:
    those that it is no longer found under.
    """

    listing: bytes | None
    facets: frozenset[str]
    gone: frozenset[str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches are looked for: those that fit in every way that is given. Times in ns since the epoch."""

    player: str = ""
    tag: str = ""
    status: Status | None = None
    game: int = 0
    created_from_ns: int | None = None
    created_before_ns: int | None = None

    @property
    def facets(self) -> tuple[str, ...]:
        """The facets that all of them are under."""
        return (
            *((of_player(self.player),) if self.player else ()),
            *((of_tag(self.tag),) if self.tag else ()),
            *((of_status(self.status),) if self.status is not None else ()),
            *((of_game(self.game),) if self.game else ()),
        )

    def takes(self, listing: Listing) -> bool:
        """Whether a match is one of them."""
        return (
            (not self.player or self.player in listing.insiders)
            and (not self.tag or self.tag in listing.tags)
            and (self.status is None or of_status(self.status) in listing.facets(timed=False))
            and (not self.game or self.game == listing.game)
            and (self.created_from_ns is None or listing.created_ns >= self.created_from_ns)
            and (self.created_before_ns is None or listing.created_ns < self.created_before_ns)
        )


def of_player(player: str) -> str:
    """The facet of a player's matches."""
    return f"player:{player}"


def of_tag(tag: str) -> str:
    """The facet of a tag."""
    return f"tag:{tag}"


def of_status(status: Status) -> str:
    """The facet of a status; that of matches being played includes those that wait for dice."""
    return f"status:{status.value}"


def of_game(game: int) -> str:
    """The facet of a game."""
    return f"game:{game}"
