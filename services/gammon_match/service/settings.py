"""Match settings: what can be agreed beside the law, every fault of it at once, and how it is stored."""

from collections import Counter
from collections.abc import Collection

from google.protobuf.duration_pb2 import Duration

from gammon.match.v1 import settings_pb2
from gammon_match.service.requests import TAG, Faults, check_durability, check_reference

AT = "settings."
MOST_TAGS = 8
MOST_EVENTS_LATER = 1000
NS = 1_000_000_000
LONGEST_NS = 366 * 24 * 3600 * NS
# Less is no game by days: an answer has to find its way.
LEAST_OF_DAYS_NS = 60 * NS


def check_settings(settings: settings_pb2.MatchSettings, *, recorded: bool) -> Faults:
    """The faults of a match's settings but for the law's part, which the rules service judges."""
    faults = Faults()
    faults.need(settings.HasField("rules"), AT + "rules", "", "is required")
    _check_seats(faults, settings, recorded)
    _check_tags(faults, settings)
    _check_dice(faults, settings, recorded)
    _check_what_is_set_here(faults, settings, recorded)
    if recorded:
        _check_nothing_of_play(faults, settings)
        return faults
    _check_clock(faults, settings.clock)
    _check_absence(faults, settings.absence)
    _check_spectators(faults, settings)
    check_durability(faults, AT + "durability", settings.durability)
    return faults


def settings_bytes(settings: settings_pb2.MatchSettings, rules_version: str) -> bytes:
    """The settings as they are stored: with the rules version that the match pins."""
    pinned = settings_pb2.MatchSettings()
    pinned.CopyFrom(settings)
    pinned.rules_version = rules_version
    return pinned.SerializeToString(deterministic=True)


def rematch_settings(settings: bytes, match_id: str, players: tuple[str, ...], rules_version: str) -> bytes:
    """The settings of the rematch of a match, from its own: each seat reserved for the player who held it."""
    agreed = settings_pb2.MatchSettings.FromString(settings)
    agreed.rematch_of = match_id
    seats = list(agreed.seats) or [settings_pb2.SeatSettings() for _ in players]
    del agreed.seats[:]
    for seat, player in zip(seats, players, strict=True):
        seat.player, seat.invited = player, False
        agreed.seats.append(seat)
    return settings_bytes(agreed, rules_version)


def _check_seats(faults: Faults, settings: settings_pb2.MatchSettings, recorded: bool) -> None:
    seats = settings.rules.seats
    faults.need(len(settings.seats) in (0, seats), AT + "seats", len(settings.seats), "one entry a seat, or none")
    for index, seat in enumerate(settings.seats):
        here = f"{AT}seats[{index}]."
        if seat.player:
            check_reference(faults, here + "player", seat.player)
        waived = (settings_pb2.CONTRIBUTION_MODE_UNSPECIFIED, settings_pb2.CONTRIBUTION_MODE_WAIVED)
        if _check_known(faults, here + "contribution", settings_pb2.ContributionMode.values(), seat.contribution):
            faults.later(seat.contribution in waived, here + "contribution", seat.contribution)
        faults.later(not seat.signed, here + "signed", seat.signed)
        if seat.invited:
            faults.need(not recorded, here + "invited", "true", "the seats of an import are taken")
            faults.need(not seat.player, here + "invited", "true", "the seat is reserved, and its player needs none")


def _check_tags(faults: Faults, settings: settings_pb2.MatchSettings) -> None:
    faults.need(len(settings.tags) <= MOST_TAGS, AT + "tags", len(settings.tags), f"at most {MOST_TAGS}")
    seen = Counter[str]()
    for index, tag in enumerate(settings.tags):
        here = f"{AT}tags[{index}]"
        faults.need(bool(TAG.fullmatch(tag)), here, tag, "1 to 64 printable characters, no blanks")
        faults.need(not seen[tag], here, tag, "is there twice")
        seen[tag] += 1


def _check_dice(faults: Faults, settings: settings_pb2.MatchSettings, recorded: bool) -> None:
    if not _check_known(faults, AT + "dice", settings_pb2.DiceSource.values(), settings.dice):
        return
    if recorded:
        served = (settings_pb2.DICE_SOURCE_UNSPECIFIED, settings_pb2.DICE_SOURCE_RECORDED)
        faults.need(settings.dice in served, AT + "dice", settings.dice, "of an import are recorded")
        return
    thrown = settings.dice != settings_pb2.DICE_SOURCE_RECORDED
    faults.need(thrown, AT + "dice", settings.dice, "recorded dice come with an import")
    faults.later(settings.dice != settings_pb2.DICE_SOURCE_BGD1, AT + "dice", "BGD1")


def _check_what_is_set_here(faults: Faults, settings: settings_pb2.MatchSettings, recorded: bool) -> None:
    faults.need(not settings.rules_version, AT + "rules_version", settings.rules_version, "is set by the service")
    faults.need(not settings.rematch_of, AT + "rematch_of", settings.rematch_of, "is set by the service, on a rematch")
    if not recorded:
        faults.need(not settings.source_sha256, AT + "source_sha256", "set", "comes with an import")


def _check_nothing_of_play(faults: Faults, settings: settings_pb2.MatchSettings) -> None:
    """A match that was played elsewhere has nobody to wait for, to watch or to hide from."""
    for name in ("clock", "absence", "durability"):
        faults.need(not settings.HasField(name), AT + name, "set", "has no meaning in an import")
    for name in ("spectators", "spectator_delay", "take_backs", "private"):
        faults.need(not getattr(settings, name), AT + name, getattr(settings, name), "has no meaning in an import")


def _check_clock(faults: Faults, clock: settings_pb2.ClockSettings) -> None:
    at = AT + "clock."
    if not _check_known(faults, at + "kind", settings_pb2.ClockKind.values(), clock.kind):
        return
    match clock.kind:
        case settings_pb2.CLOCK_KIND_UNSPECIFIED | settings_pb2.CLOCK_KIND_NONE:
            faults.need(not clock.HasField("reserve"), at + "reserve", "set", "needs a clock")
            faults.need(not clock.HasField("per_move"), at + "per_move", "set", "needs a clock")
            faults.need(not clock.claimed, at + "claimed", "true", "needs a clock")
        case settings_pb2.CLOCK_KIND_DELAY | settings_pb2.CLOCK_KIND_FISCHER:
            _check_duration(faults, at + "reserve", clock.reserve)
            _check_duration(faults, at + "per_move", clock.per_move)
        case settings_pb2.CLOCK_KIND_DAYS:
            # A reserve of days is a player's holidays; it may be left out.
            if clock.HasField("reserve"):
                _check_duration(faults, at + "reserve", clock.reserve)
            _check_duration(faults, at + "per_move", clock.per_move, LEAST_OF_DAYS_NS)


def _check_absence(faults: Faults, absence: settings_pb2.AbsenceSettings) -> None:
    if absence.HasField("abandonment"):
        _check_duration(faults, AT + "absence.abandonment", absence.abandonment)
    if absence.HasField("pause_budget"):
        _check_duration(faults, AT + "absence.pause_budget", absence.pause_budget)


def _check_spectators(faults: Faults, settings: settings_pb2.MatchSettings) -> None:
    later, at = settings.spectator_delay, AT + "spectator_delay"
    if not _check_known(faults, AT + "spectators", settings_pb2.SpectatorPolicy.values(), settings.spectators):
        return
    if settings.spectators == settings_pb2.SPECTATOR_POLICY_DELAYED:
        faults.need(1 <= later <= MOST_EVENTS_LATER, at, later, f"1 to {MOST_EVENTS_LATER} events")
    else:
        faults.need(later == 0, at, later, "is for delayed spectators")


def _check_known(faults: Faults, field: str, known: Collection[int], value: int) -> bool:
    faults.need(value in known, field, value, "is not known")
    return value in known


def _check_duration(faults: Faults, field: str, duration: Duration, least_ns: int = 1) -> None:
    ns = duration.seconds * NS + duration.nanos
    ok = 0 <= duration.nanos < NS and least_ns <= ns <= LONGEST_NS
    least = f"{least_ns // NS} s or more" if least_ns > 1 else "more than none"
    faults.need(ok, field, _shown(duration), f"{least}, and at most 366 days")


def _shown(duration: Duration) -> str:
    """A duration as it was sent: one that is out of its bounds has no text of its own."""
    return f"{duration.seconds} s {duration.nanos} ns" if duration.nanos else f"{duration.seconds} s"
