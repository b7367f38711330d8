"""`gammon plays`: legal plays of positions, one JSON line each way; nothing else has to run."""

from __future__ import annotations

import json
from typing import IO, Any

from gammon_cli.json_lines import read_object
from gammon_engine.plays_answer import answer_line


def answer_lines(source: IO[bytes], sink: IO[str]) -> None:
    """Answers every line in its order. A faulty one gets `{error: {field, reason}}`, and the rest goes on."""
    for line in source:
        json.dump(_answer(line), sink, separators=(",", ":"))
        sink.write("\n")
        sink.flush()


def _answer(line: bytes) -> dict[str, Any]:
    question = read_object(line)
    if isinstance(question, str):
        return {"error": {"field": "line", "reason": question}}
    return answer_line(question)
