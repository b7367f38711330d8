"""`gammon referee`: scripts in, a line an action out; a fault or a refusal ends its script only."""

import json
import sys
from typing import Any

from tests.cli.command import gammon

SCRIPT: dict[str, Any] = {"game": "backgammon", "seats": 2, "match": {"points": 5}}
OPEN = {"seat": None, "do": "open", "dice": [3, 1]}


def line(*actions: dict[str, Any], **changes: Any) -> bytes:
    return json.dumps({**SCRIPT, "actions": actions, **changes}).encode()


def test_scripts_are_numbered_by_line_and_end_by_themselves() -> None:
    double = {"seat": 0, "do": "double"}
    lines = [
        line(OPEN, {"seat": 0, "do": "take"}, double),
        b"{no script",
        line(OPEN, game="chess"),
        line(),
        line(double, {"seat": 1, "do": "take"}, turn=0),
        line({**double, "seat": 1}, turn=1),
    ]
    done = gammon("referee", stdin=b"\n".join(lines))
    assert (done.returncode, done.stderr) == (0, "")
    told = [json.loads(answer) for answer in done.stdout.splitlines()]
    assert [(answer["script"], answer.get("action"), answer.get("ok")) for answer in told] == [
        (0, 0, True),
        (0, 1, False),
        (1, 0, False),
        (2, 0, False),
        (4, 0, True),
        (4, 1, True),
        (5, 0, True),
    ]
    assert [answer["reason"].split(":")[0] for answer in told[2:4]] == ["line", "game"]


def test_6_2_a_cube_knows_no_bound() -> None:
    """Its number is longer than Python prints by itself."""
    before, after = hex(1 << 20_000), hex(1 << 20_001)
    actions = [{"seat": 0, "do": "double"}, {"seat": 1, "do": "take"}]
    script = {"game": "backgammon", "seats": 2, "session": {}, "turn": 0, "actions": actions}
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        source = json.dumps({**script, "cube": {"value": int(before, 16), "owner": 0}}).encode()
        done = gammon("referee", stdin=source)
        taken = json.loads(done.stdout.splitlines()[1])
        assert hex(taken["state"]["cube"]["value"]) == after
    finally:
        sys.set_int_max_str_digits(limit)
