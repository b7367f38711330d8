"""Peers run in an environment of their own, `.peers/venv`, each as a process that is told lines and answers lines.

So nothing of ours imports them, and none of their licences reaches further than that process.
"""

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".peers" / "venv" / "bin" / "python"


def at_hand() -> bool:
    """Whether `make peers` has made the environment."""
    return PYTHON.exists()


def asked(module: str, *arguments: str, lines: Iterable[object] = ()) -> list[Any]:
    """What `tests.peers.MODULE` answers to these lines, JSON both ways. Raises CalledProcessError where it fails."""
    told = "".join(json.dumps(line) + "\n" for line in lines)
    command = [str(PYTHON), "-m", f"tests.peers.{module}", *arguments]
    done = subprocess.run(command, input=told, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
    return [json.loads(line) for line in done.stdout.splitlines()]
