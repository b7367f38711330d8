"""`gammon plays`: legal plays of positions, one JSON line each way; nothing else has to run."""

from __future__ import annotations

import json
from typing import IO, Any

from gammon_engine.plays_answer import answer_line


def answer_lines(source: IO[bytes], sink: IO[str]) -> None:
    """Answers every line in its order. A faulty one gets `{error: {field, reason}}`, and the rest goes on."""
    for line in source:
        json.dump(_answer(line), sink, separators=(",", ":"))
        sink.write("\n")
        sink.flush()


def _answer(line: bytes) -> dict[str, Any]:
    try:
        question = json.loads(line)
    except RecursionError:
        return _refused("is nested too deeply")
    except ValueError as error:
        return _refused(f"is no JSON: {error}")
    if not isinstance(question, dict):
        return _refused("is no JSON object")
    return answer_line(question)


def _refused(reason: str) -> dict[str, Any]:
    return {"error": {"field": "line", "reason": reason}}
