"""Settings that people play by: what the rules service names for each game, with a clock to it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gammon_match.app.law import Away, GameOffered, Law, RulesPreset
from gammon_match.core.refusals import FieldFault, Malformed, RulesAway
from gammon_match.core.terms import NO_ABSENCE, AbsenceTerms, ClockKind, ClockTerms

SECOND_NS = 1_000_000_000
MINUTE_NS = 60 * SECOND_NS
DAY_NS = 24 * 60 * MINUTE_NS
# As tournaments play: a delay of 12 s, and two minutes for each point or game.
DELAY_NS = 12 * SECOND_NS
RESERVE_EACH_NS = 2 * MINUTE_NS
LIVE_ABSENCE = AbsenceTerms(abandonment_ns=3 * MINUTE_NS, pause_budget_ns=5 * MINUTE_NS)
# Whoever waits for an answer decides whether they want to wait on.
BY_DAYS = ClockTerms(ClockKind.DAYS, per_move_ns=3 * DAY_NS, claimed=True)


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings under a name, with what they are in one sentence. `rules`: the law's part, as bytes."""

    name: str
    description: str
    rules: bytes
    clock: ClockTerms
    absence: AbsenceTerms


async def list_presets(law: Law, game: int) -> tuple[Preset, ...] | Malformed | RulesAway:
    """The presets of a game; 0: of all, those of one game together."""
    games = await law.games()
    if isinstance(games, Away):
        return RulesAway(games.cause)
    wanted = [offered for offered in games if game in (0, offered.game)]
    if not wanted:
        return Malformed((FieldFault("game", str(game), "contract", "is not served"),))
    return tuple(preset for offered in wanted for preset in _presets(offered))


def _presets(offered: GameOffered) -> Iterator[Preset]:
    game = offered.name.lower().replace(" ", "-")
    for rules in offered.presets:
        clock = ClockTerms(ClockKind.DELAY, RESERVE_EACH_NS * max(rules.length, 1), DELAY_NS)
        time = f"{DELAY_NS // SECOND_NS} s a move, {clock.reserve_ns // MINUTE_NS} min reserve"
        yield Preset(f"{game}-{rules.name}", f"{rules.description}; {time}.", rules.rules, clock, LIVE_ABSENCE)
    time = f"{BY_DAYS.per_move_ns // DAY_NS} days a move"
    for number, rules in enumerate(_usual(offered.presets)):
        name = f"{game}-correspondence" if number == 0 else f"{game}-correspondence-{rules.seats}"
        yield Preset(name, f"{rules.description}; {time}.", rules.rules, BY_DAYS, NO_ABSENCE)


def _usual(presets: Iterable[RulesPreset]) -> tuple[RulesPreset, ...]:
    """The first preset of each number of seats."""
    first: dict[int, RulesPreset] = {}
    for preset in presets:
        first.setdefault(preset.seats, preset)
    return tuple(first.values())
