"""A recorded match as a small JSON file of facts, ready for ImportMatch.

`games` has one list of acts a game. An act is `opening A-B` (one die a seat, in the order of seats, rule 1.7), or
`SEAT roll A-B`, `SEAT play TEXT` (rule 9.4), `SEAT double`, `take`, `drop`, `resign LEVEL`, `accept`, `decline`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import settings_pb2
from gammon.rules.v1 import action_pb2
from gammon.rules.v1 import settings_pb2 as rules_pb2

DEMO = "match_to_5.json"
PLAIN = {
    "double": action_pb2.Action(double=action_pb2.OfferDouble()),
    "take": action_pb2.Action(take=action_pb2.Take()),
    "drop": action_pb2.Action(drop=action_pb2.Drop()),
    "accept": action_pb2.Action(accept=action_pb2.Accept()),
    "decline": action_pb2.Action(decline=action_pb2.Decline()),
}


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A record: its header, its acts in order, and where the facts come from."""

    header: pb.ImportHeader
    acts: tuple[pb.RecordedAct, ...]
    source: str


def demo_record() -> RecordFile:
    """The record that comes with the command."""
    return read_record((files("gammon_cli") / "records" / DEMO).read_bytes())


def read_record(content: bytes) -> RecordFile:
    """Reads a file. Raises ValueError naming game, act and fault."""
    record: dict[str, Any] = json.loads(content)
    settings = settings_pb2.MatchSettings(
        rules=rules_pb2.Settings(
            game=rules_pb2.GAME_BACKGAMMON,
            seats=2,
            match=rules_pb2.MatchPlay(points=record["points"], crawford=record["crawford"]),
        ),
        dice=settings_pb2.DICE_SOURCE_RECORDED,
    )
    header = pb.ImportHeader(
        settings=settings,
        players=["recorded:0", "recorded:1"],
        source_sha256=hashlib.sha256(content).digest(),
    )
    return RecordFile(header, tuple(_acts(record["games"])), record["source"])


def _acts(games: Sequence[Sequence[str]]) -> list[pb.RecordedAct]:
    acts = []
    for game, texts in enumerate(games, 1):
        for number, text in enumerate(texts, 1):
            try:
                acts.append(pb.RecordedAct(action=_action(text)))
            except (ValueError, KeyError):
                raise ValueError(f"game {game}, act {number}: {text!r} is no act") from None
    return acts


def _action(text: str) -> action_pb2.Action:
    who, _, what = text.partition(" ")
    if who == "opening":
        # Any seat may ask for the opening throw; the lowest does.
        return action_pb2.Action(seat=0, roll=action_pb2.Roll(dice=_dice(what)))
    action = action_pb2.Action()
    kind, _, rest = what.partition(" ")
    match kind:
        case "roll":
            action.roll.dice.extend(_dice(rest))
        case "play":
            action.play.text = rest
        case "resign":
            action.resign.level = int(rest)
        case _:
            action.CopyFrom(PLAIN[kind])
    action.seat = int(who)
    return action


def _dice(text: str) -> list[int]:
    return [int(die) for die in text.split("-")]
