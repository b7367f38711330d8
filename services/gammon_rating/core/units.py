"""What of a feed is rated: a two-player match, or each game of a session with a fixed number of games."""

from dataclasses import dataclass

MAIN = "main"
IMPORTED = "imported"


@dataclass(frozen=True, slots=True)
class Ended:
    """What a feed entry tells, as far as ratings read it.

    `match_points`: None for a session. `games`: of a session, 0 if it is open. `game_winners`, `match_winners`: None
    if the entry does not end that.
    """

    match_id: str
    match_hash: bytes
    players: tuple[str, ...]
    recorded: bool
    rated: bool
    match_points: int | None
    games: int
    game_number: int
    game_winners: tuple[int, ...] | None
    match_winners: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing to rate. `key`: rated once under this name, whatever is delivered again."""

    key: str
    pool: str
    match_id: str
    match_hash: bytes
    winner: str
    loser: str
    length: int
    game_number: int


def unit_of(ended: Ended) -> Unit | None:
    """The rated unit of a feed entry; None: nothing of it is rated.

    Imported records count in a pool of their own; others only where their settings say so. Open sessions, remis, and
    matches of a player against themselves do not count.
    """
    if not (ended.recorded or ended.rated) or len(ended.players) != 2 or len(set(ended.players)) != 2:
        return None
    if ended.match_points is not None:
        winners, length, game_number = ended.match_winners, ended.match_points, 0
    else:
        winners, length, game_number = ended.game_winners, 1, ended.game_number
        if not ended.games:
            return None
    if winners is None or len(winners) != 1:
        return None
    winner = winners[0]
    return Unit(
        key=ended.match_id if not game_number else f"{ended.match_id}:{game_number}",
        pool=IMPORTED if ended.recorded else MAIN,
        match_id=ended.match_id,
        match_hash=ended.match_hash,
        winner=ended.players[winner],
        loser=ended.players[1 - winner],
        length=length,
        game_number=game_number,
    )
