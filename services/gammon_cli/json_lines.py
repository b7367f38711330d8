"""One line of JSON from outside."""

from __future__ import annotations

import json
from typing import Any


def read_object(line: bytes) -> dict[str, Any] | str:
    """The object on a line, or why there is none."""
    try:
        read = json.loads(line)
    except RecursionError:
        return "is nested too deeply"
    except ValueError as error:
        return f"is no JSON: {error}"
    return read if isinstance(read, dict) else "is no JSON object"
