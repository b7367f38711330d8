"""What of a feed is rated: a two-player match, or each game of a session with a fixed number of games."""

from dataclasses import dataclass

MAIN = "main"
IMPORTED = "imported"


@dataclass(frozen=True, slots=True)
class Ended:
    """What a feed entry tells, as far as ratings read it.

    `match_points`: None for a session. `games`: of a session, 0 if it is open. `game_winners`, `match_winners`: None
    if the entry does not end that. `sequence`: where in the match that was. `corrects_from`: from which sequence on
    what was told of the match no longer holds; 0: it holds.
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
    sequence: int = 0
    corrects_from: int = 0


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


def game_keys(ended: Ended) -> tuple[str, ...]:
    """The names under which games of a session are rated, where it has a fixed number; of a match there are none."""
    if ended.match_points is not None:
        return ()
    return tuple(_key(ended.match_id, number) for number in range(1, ended.games + 1))


def _key(match_id: str, game_number: int) -> str:
    return f"{match_id}:{game_number}" if game_number else match_id


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
        key=_key(ended.match_id, game_number),
        pool=IMPORTED if ended.recorded else MAIN,
        match_id=ended.match_id,
        match_hash=ended.match_hash,
        winner=ended.players[winner],
        loser=ended.players[1 - winner],
        length=length,
        game_number=game_number,
    )
