"""Position text (9.1) and which positions are valid (9.3)."""

import pytest
from tests.engine.boards import BACKGAMMON

from gammon_engine.violation import Violation

SIDE = "24:2,13:5,8:3,6:5"


@pytest.mark.parametrize(
    "text",
    [
        f"{SIDE} {SIDE}",
        "bar:15 24:15",
        "bar:1,24:1,off:13 bar:15",
        "off:15 bar:2,6:12,off:1",
        "1:15 1:15",
    ],
)
def test_9_1_text_is_read_and_written(text: str) -> None:
    position = BACKGAMMON.parse(text)
    assert isinstance(position, int)
    assert BACKGAMMON.text(position) == text


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("9.1", ""),
        ("9.1", SIDE),
        ("9.1", f"{SIDE}  {SIDE}"),
        ("9.1", f"{SIDE} {SIDE}\n"),
        ("9.1", f"{SIDE} {SIDE} {SIDE}"),
        ("9.1", f"6:5,24:2,13:5,8:3 {SIDE}"),
        ("9.1", f"24:1,24:1,13:5,8:3,6:5 {SIDE}"),
        ("9.1", f"24:2,13:5,8:3,6:5,5:0 {SIDE}"),
        ("9.1", f"24:2,13:5,8:3,6:05 {SIDE}"),
        ("9.1", f"24:2,13:5,8:3,6:-5 {SIDE}"),
        ("9.1", f"25:2,13:5,8:3,6:5 {SIDE}"),
        ("9.1", f"off:2,13:5,8:3,6:5 {SIDE}"),
        ("9.1", f"24:2,13:5,8:3,6:5, {SIDE}"),
        ("9.1", "24:14,18:1t 24:13,7:2"),
        ("9.1", "24:16 24:15"),
        ("9.3", f"24:2,13:5,8:3,6:4 {SIDE}"),
        ("9.3", "24:15 24:14"),
        ("9.3", "24:14,12:1 24:14,13:1"),
        ("9.3", "12:15 13:15"),
    ],
)
def test_9_3_other_text_is_refused(rule: str, text: str) -> None:
    refusal = BACKGAMMON.parse(text)
    assert isinstance(refusal, Violation)
    assert (refusal.rule, refusal.field) == (rule, "position")
