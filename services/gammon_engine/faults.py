"""Whether settings are an agreement the law allows, and the suite can judge."""

from __future__ import annotations

from gammon_engine.registry import GAMES, is_played
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings
from gammon_engine.violation import Fault

# Where rules.md describes each game.
_SECTION = {
    GameId.BACKGAMMON: "2",
    GameId.CATCHGAMMON: "3",
    GameId.RUNGAMMON: "4",
    GameId.TRACKGAMMON: "5",
    GameId.GAMMON: "7.6",
}

# What each option belongs to.
_OPTIONS = (
    ("set_up", (GameId.BACKGAMMON,), "2.1"),
    ("runner_release", (GameId.RUNGAMMON, GameId.GAMMON), "4.3"),
    ("centres", (GameId.TRACKGAMMON,), "5.3"),
)

# 1.2, 7.1: so many sit at every other board.
_TWO = range(2, 3)


def faults(settings: Settings) -> list[Fault]:
    """All that is wrong with the settings, each with field, value and rule; empty if they can be played."""
    return [*_game_faults(settings), *_option_faults(settings), *_play_faults(settings)]


def _game_faults(settings: Settings) -> list[Fault]:
    game, seats = settings.game, settings.seats
    if not is_played(game):
        return [Fault("game", game.value, _SECTION[game], "this game cannot be played here yet")]
    allowed = GAMES[game].description.seats if game in GAMES else _TWO
    if seats in allowed:
        return []
    shown = f"{allowed[0]} to {allowed[-1]}" if len(allowed) > 1 else str(allowed[0])
    return [Fault("seats", str(seats), _SECTION[game], f"this game has {shown} seats")]


def _option_faults(settings: Settings) -> list[Fault]:
    return [
        Fault(
            name,
            getattr(settings, name).value,
            rule,
            f"this is an option of {' and '.join(own.value for own in owners)}",
        )
        for name, owners, rule in _OPTIONS
        if getattr(settings, name) is not None and settings.game not in owners
    ]


def _play_faults(settings: Settings) -> list[Fault]:
    match settings.play:
        case MatchPlay():
            return _match_faults(settings, settings.play)
        case SessionPlay():
            if settings.game is GameId.GAMMON:
                return [Fault("play", "session", "7.6", "gammon games are played as a match")]
            return _session_faults(settings, settings.play)


def _match_faults(settings: Settings, play: MatchPlay) -> list[Fault]:
    found = []
    if settings.seats != 2:
        found.append(Fault("play", "match", "7.1", "a match is for two; more play a session"))
    if play.points < 1:
        found.append(Fault("play.points", str(play.points), "7.1", "a match is to 1 point or more"))
    if play.holland and not play.crawford:
        found.append(Fault("play.holland", "true", "6.9", "holland needs crawford"))
    elif play.holland and (play.points == 1 or not settings.cube):
        found.append(Fault("play.holland", "true", "6.4", "cannot be used without a cube"))
    return found


def _session_faults(settings: Settings, play: SessionPlay) -> list[Fault]:
    found = []
    if play.games is not None and play.games < 1:
        found.append(Fault("play.games", str(play.games), "7.3", "a session has at least one game, or no number"))
    if play.automatic_doubles < 0:
        found.append(Fault("play.automatic_doubles", str(play.automatic_doubles), "6.8", "cannot be negative"))
    if play.raccoons and not play.beavers:
        found.append(Fault("play.raccoons", "true", "6.7", "raccoons need beavers"))
    raises = (
        ("play.beavers", "true", "6.6", play.beavers),
        ("play.raccoons", "true", "6.7", play.raccoons),
        ("play.automatic_doubles", str(play.automatic_doubles), "6.8", play.automatic_doubles > 0),
    )
    if settings.seats > 2:
        jacoby = ("play.jacoby", "true", "6.5", play.jacoby)
        found += [Fault(field, value, "6.12", "is for two players") for field, value, _, on in (jacoby, *raises) if on]
    elif not settings.cube:
        found += [Fault(field, value, "6.4", "cannot be used without a cube") for field, value, _, on in raises if on]
    return found
