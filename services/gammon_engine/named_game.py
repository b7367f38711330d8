"""The game on a board alone, named in plain data: no match, no session, no cube."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gammon_engine.game import Game
from gammon_engine.line_settings import read_settings
from gammon_engine.registry import game_of
from gammon_engine.violation import Fault


def read_game(line: Mapping[str, Any]) -> Game | Fault:
    """The game of `{game, seats, options}` alone, set-ups named as games; two seats where none are named."""
    settings = read_settings(line, None)
    return settings if isinstance(settings, Fault) else game_of(settings)
