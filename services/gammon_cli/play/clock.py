"""The clock that somebody who sits down wants to play by."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from gammon.match.v1 import settings_pb2

# As the presets have it: tournaments' delay, two minutes for each point or game, and what belongs to playing live.
DELAY_S, INCREMENT_S, RESERVE_EACH_S, DAYS_S = 12, 10, 120, 3 * 86_400
ABANDONMENT_S, PAUSE_BUDGET_S = 180, 300
LONGEST_S = 365 * 86_400

_UNITS = {"d": 86_400, "h": 3600, "m": 60, "s": 1, "": 1}
_SPAN = re.compile(r"(\d{1,8})([dhms]?)")


class ClockName(StrEnum):
    """Kinds of clocks."""

    NONE = "none"
    DELAY = "delay"
    FISCHER = "fischer"
    DAYS = "days"


@dataclass(frozen=True, slots=True)
class WantedClock:
    """A clock: its kind, and in seconds what is to be other than usual."""

    kind: ClockName = ClockName.NONE
    reserve_s: int | None = None
    per_move_s: int | None = None

    def agree(self, settings: settings_pb2.MatchSettings) -> None:
        """Puts it into settings whose law is said; with a live clock also when an absence counts, and pauses."""
        if self.kind is ClockName.NONE:
            return
        rules, clock = settings.rules, settings.clock
        reserve_s = RESERVE_EACH_S * max(rules.match.points if rules.HasField("match") else rules.session.games, 1)
        match self.kind:
            case ClockName.DELAY:
                kind, per_move_s = settings_pb2.CLOCK_KIND_DELAY, DELAY_S
            case ClockName.FISCHER:
                kind, per_move_s = settings_pb2.CLOCK_KIND_FISCHER, INCREMENT_S
            case ClockName.DAYS:
                kind, per_move_s, reserve_s = settings_pb2.CLOCK_KIND_DAYS, DAYS_S, 0
        clock.kind, clock.claimed = kind, self.kind is ClockName.DAYS
        clock.per_move.seconds = per_move_s if self.per_move_s is None else self.per_move_s
        reserve_s = reserve_s if self.reserve_s is None else self.reserve_s
        if reserve_s or not clock.claimed:
            clock.reserve.seconds = reserve_s
        if not clock.claimed:
            settings.absence.abandonment.seconds = ABANDONMENT_S
            settings.absence.pause_budget.seconds = PAUSE_BUDGET_S


NO_CLOCK = WantedClock()


def read_span(text: str) -> int:
    """Seconds, from text as `90`, `12s`, `10m`, `1h30m`, `3d`. Raises ValueError."""
    parts = _SPAN.findall(text.lower())
    if not parts or "".join(number + unit for number, unit in parts) != text.lower():
        raise ValueError(f"{text!r} is no span of time such as 12s, 10m, 1h30m or 3d")
    seconds = sum(int(number) * _UNITS[unit] for number, unit in parts)
    if not 0 < seconds <= LONGEST_S:
        raise ValueError(f"{text!r}: more than nothing and at most a year")
    return seconds
