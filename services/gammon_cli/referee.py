"""`gammon referee`: scripts of play, judged action by action, JSON lines each way; nothing else has to run."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import IO, Any

from gammon_cli.json_lines import read_object
from gammon_engine.referee_answer import answer_script, refused
from gammon_engine.violation import Fault


def judge_scripts(source: IO[bytes], sink: IO[str]) -> None:
    """Answers every script in its order, one line an action, numbers from 0. A refusal ends its script only."""
    # A cube knows no bound (6.2), and neither do the numbers written here.
    sys.set_int_max_str_digits(0)
    for number, line in enumerate(source):
        for answer in _answers(number, line):
            json.dump(answer, sink, separators=(",", ":"))
            sink.write("\n")
        sink.flush()


def _answers(number: int, line: bytes) -> Iterable[dict[str, Any]]:
    script = read_object(line)
    if isinstance(script, str):
        return [refused(number, 0, Fault("line", f"{len(line)} bytes", "1", script))]
    return answer_script(script, number)
