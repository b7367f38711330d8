"""What the players of a MAT file had agreed on, from its length and its headers."""

from __future__ import annotations

from gammon_engine.games.backgammon import Backgammon
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings, SetUp
from gammon_records.mat import Cubed, MatFile, Rolled, Word
from gammon_records.refused import Refused
from gammon_records.snowie import is_set_up

_SET_UPS = {
    "": None,
    "backgammon": None,
    "standard": None,
    "nackgammon": SetUp.NACKGAMMON,
    "hypergammon": SetUp.HYPERGAMMON,
    "longgammon": SetUp.LONGGAMMON,
}


def agreed(mat: MatFile) -> Settings | Refused:
    """The settings. The Crawford rule belongs to a length, Jacoby and beavers to money play, whatever else is said.

    A session is one without a fixed number of games: how many were meant is not written anywhere.
    """
    variation = mat.headers.get("variation", "").strip()
    if variation.lower() not in _SET_UPS:
        return Refused(mat.length_line, f"the variation {variation!r} is not known here")
    words = {cell.says.word for game in mat.games for cell in game.cells if isinstance(cell.says, Cubed)}
    play: MatchPlay | SessionPlay
    if mat.points:
        # Only a file that says so is without: all known producers of match files play the rule.
        play = MatchPlay(mat.points, crawford=not _is(mat, "crawford", "off"))
    else:
        play = SessionPlay(
            jacoby=_is(mat, "jacoby", "on"),
            beavers=_is(mat, "beaver", "on") or Word.BEAVER in words or Word.RACCOON in words,
            raccoons=Word.RACCOON in words,
        )
    # A cube that goes to 1 is none; one that somebody turned is one.
    cube = mat.headers.get("cubelimit", "").strip() != "1" or Word.DOUBLE in words
    if not cube and isinstance(play, SessionPlay):
        play = SessionPlay(jacoby=play.jacoby)
    set_up = _SET_UPS[variation.lower()] or _shown_set_up(mat)
    return Settings(GameId.BACKGAMMON, play, set_up=set_up, cube=cube)


def _shown_set_up(mat: MatFile) -> SetUp | None:
    """The set-up that the first cell of the record shows as a board, where it does."""
    for cell in mat.games[0].cells[:1]:
        if isinstance(cell.says, Rolled) and cell.says.position:
            for set_up in SetUp:
                if is_set_up(cell.says.position, cell.column, Backgammon(set_up)):
                    return None if set_up is SetUp.STANDARD else set_up
    return None


def _is(mat: MatFile, key: str, value: str) -> bool:
    return mat.headers.get(key, "").strip().lower() == value
