"""What a person types, read against what their seat sees: an act that the law allows, a wish to look, or a refusal."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from gammon.rules.v1 import action_pb2 as pb
from gammon_cli.play.sight import Sight, choosable, may_throw, obvious
from gammon_drawing.marks import LETTERS
from gammon_engine.referee import actions as act
from gammon_engine.referee import rule
from gammon_engine.referee.state import Phase
from gammon_engine.violation import Violation
from gammon_wire.actions import action_to_proto


@dataclass(frozen=True, slots=True)
class Send:
    """An act for the match service."""

    action: pb.Action


@dataclass(frozen=True, slots=True)
class Price:
    """What an act would cost, asked without acting."""

    action: pb.Action


@dataclass(frozen=True, slots=True)
class Back:
    """A word on taking back: proposes it (`accept` None), consents, or does not."""

    accept: bool | None


class TimeWord(Enum):
    """What a seat says of time: asks for a pause, ends or withdraws it, claims that another is out of time or away."""

    PAUSE = "pause"
    RESUME = "resume"
    CLAIM = "claim"


class Look(Enum):
    """What is shown without acting."""

    BOARD = "board"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class LookAtPlays:
    """The legal plays: a page of the list, or those that have a step which begins so."""

    page: int = 1
    step: str = ""


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the terminal; the match stays as it is."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why nothing is sent."""

    why: str
    rule: str = ""

    def __str__(self) -> str:
        return f"{self.why} (rule {self.rule})" if self.rule else self.why


Said = Send | Price | Back | TimeWord | Look | LookAtPlays | Quit | Wrong

_BARE: dict[str, Callable[[int], act.SeatAction]] = {
    "d": act.Double,
    "double": act.Double,
    "t": act.Take,
    "take": act.Take,
    "p": act.Drop,
    "pass": act.Drop,
    "drop": act.Drop,
    "beaver": act.Beaver,
    "raccoon": act.Raccoon,
    "a": act.Accept,
    "accept": act.Accept,
    "y": act.Accept,
    "yes": act.Accept,
    "n": act.Decline,
    "no": act.Decline,
    "decline": act.Decline,
    "stay": act.Stay,
    "withdraw": act.Withdraw,
    "nopoints": act.OfferNoResult,
}
_LOOKS: dict[str, Look | Quit] = {
    "b": Look.BOARD,
    "board": Look.BOARD,
    "h": Look.HELP,
    "help": Look.HELP,
    "q": Quit(),
    "quit": Quit(),
    "exit": Quit(),
}
_TIME_WORDS = {word.value: word for word in TimeWord}
_LEVELS = {"single": 1, "gammon": 2, "backgammon": 3, "catchgammon": 3, "rungammon": 3}
_NUMBER = re.compile(r"[0-9]{1,9}")
_PLAY = re.compile(r"-|.*[/@]|(bar|off)\b", re.IGNORECASE)
_SHOWN = 40


def read_command(text: str, sight: Sight | None) -> Said:
    """What `text` asks for. An act is tried against the law first, so nothing half or wrong is sent.

    `sight`: None while seats are open and nothing can be done but wait or leave.
    """
    word, *rest = text.lower().split() or [""]
    if word in _LOOKS and not rest:
        return _LOOKS[word]
    if sight is None:
        return Wrong("the match starts when all seats are taken; q leaves")
    if word in _TIME_WORDS and not rest:
        return _TIME_WORDS[word]
    if word in ("?", "plays"):
        return _look_at_plays(rest, sight)
    if word == "":
        action = obvious(sight)
        return Send(action) if action is not None else Look.HELP
    if word in ("r", "roll") and not rest:
        return Send(pb.Action(roll=pb.Roll())) if may_throw(sight) else _judged(act.RollDice(sight.seat, (1, 1)), sight)
    if word in _BARE and not rest:
        return _judged(_BARE[word](sight.seat), sight)
    if _NUMBER.fullmatch(word) and not rest:
        return _play_of_number(int(word), sight)
    if word in _WITH_MORE:
        return _WITH_MORE[word](rest, sight)
    if _PLAY.match(text.strip()):
        return _judged(act.MakePlay(sight.seat, text.strip()), sight)
    return Wrong(f"{_plain(text)} is no command; ? says what you can do")


def _judged(action: act.SeatAction, sight: Sight) -> Send | Wrong:
    broken = rule(sight.settings, sight.state, action)
    if not isinstance(broken, Violation):
        return Send(action_to_proto(action))
    named = broken.value and broken.field not in ("seat", "phase", "dice")
    return Wrong(f"{_plain(broken.value)}: {broken.reason}" if named else broken.reason, broken.rule)


def _look_at_plays(rest: list[str], sight: Sight) -> Said:
    if not sight.plays:
        return Look.HELP
    match rest:
        case []:
            return LookAtPlays()
        case [page] if _NUMBER.fullmatch(page):
            return LookAtPlays(page=int(page))
        case [step]:
            return LookAtPlays(step=step)
        case _:
            return Wrong("? lists the plays, ? 2 their second page, ? 24/ those with such a step")


def _play_of_number(number: int, sight: Sight) -> Send | Wrong:
    if not sight.plays:
        judged = _judged(act.MakePlay(sight.seat, ()), sight)
        return Wrong("there is no roll to play") if isinstance(judged, Send) else judged
    if not 1 <= number <= len(sight.plays):
        return Wrong(f"{number}: the plays are numbered from 1 to {len(sight.plays)}")
    return _judged(act.MakePlay(sight.seat, sight.plays[number - 1]), sight)


def _resign(rest: list[str], sight: Sight) -> Send | Wrong:
    level = _LEVELS.get(rest[0], 0) or (int(rest[0]) if _NUMBER.fullmatch(rest[0]) else 0) if len(rest) == 1 else 0
    if not level:
        return Wrong(f"say at which level: resign 1, up to {sight.game.top_level}", "8.1")
    return _judged(act.Resign(sight.seat, level), sight)


def _settle(rest: list[str], sight: Sight) -> Send | Wrong:
    seats = {LETTERS[seat].lower(): seat for seat in range(sight.settings.seats)}
    match rest:
        case [points, to] if _NUMBER.fullmatch(points) and to in seats:
            return _judged(act.Settle(sight.seat, Fraction(points), seats[to]), sight)
        case _:
            return Wrong(f"say how many whole points for whom: settle 2 {LETTERS[sight.seat]}", "8.6")


def _choose(rest: list[str], sight: Sight) -> Send | Wrong:
    games = choosable(sight)
    found = [game for game in games if rest and game.value.startswith(rest[0])]
    if games and len(found) != 1:
        return Wrong(f"say {' or '.join(f'choose {game.value}' for game in games)}", "7.6")
    return _judged(act.Choose(sight.seat, found[0] if found else sight.settings.game), sight)


def _leave(rest: list[str], sight: Sight) -> Send | Wrong:
    judged = _judged(act.Leave(sight.seat), sight)
    # Nobody has asked, and who means to leave the terminal would pay for it.
    if isinstance(judged, Send) and sight.state.phase is not Phase.DOUBLED and rest != ["now"]:
        stake = sight.state.cube.value
        return Wrong(f"you would pay {stake} and be out of this game: say leave now. q leaves the terminal only", "8.2")
    return judged


def _back(rest: list[str], _: Sight) -> Back | Wrong:
    words: dict[tuple[str, ...], bool | None] = {(): None, ("yes",): True, ("no",): False}
    if tuple(rest) not in words:
        return Wrong("back proposes to take your last act back, back yes agrees to it, back no does not", "8.5")
    return Back(words[tuple(rest)])


def _price(rest: list[str], sight: Sight) -> Price | Wrong:
    said = read_command(" ".join(rest), sight) if rest else Look.HELP
    if isinstance(said, Send) and not said.action.HasField("roll"):
        return Price(said.action)
    return said if isinstance(said, Wrong) else Wrong("say what of: cost resign 2, cost p")


_WITH_MORE: dict[str, Callable[[list[str], Sight], Said]] = {
    "resign": _resign,
    "settle": _settle,
    "choose": _choose,
    "leave": _leave,
    "back": _back,
    "cost": _price,
}


def _plain(text: str) -> str:
    """What was typed, as a terminal may show it."""
    cut = text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
    return cut if cut.isprintable() else ascii(cut)
