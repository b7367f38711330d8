"""What the image runs: `python -m gammon_shell.role ROLE [ARGUMENT…]`.

A role is a package `gammon_ROLE` that can be run, or a module of this package. The kernel ignores a signal that the
first process of a container does not handle: until the role handles SIGTERM itself, it ends at once here.
"""

from __future__ import annotations

import importlib.util
import os
import pkgutil
import re
import runpy
import signal
import sys
from types import FrameType

STOPPED_EXIT = 128 + signal.SIGTERM
UNKNOWN_EXIT = 64
PACKAGE = "gammon_"
TOOLS = ("key", "health_probe")


def module_of(role: str) -> str | None:
    """The module to run for a role; None: there is no such role."""
    if role in TOOLS:
        return f"gammon_shell.{role}"
    package = f"{PACKAGE}{role}"
    is_word = re.fullmatch("[a-z]+", role) is not None
    return package if is_word and _can_be_run(package) else None


def roles() -> list[str]:
    """All roles of this installation."""
    packages = (module.name for module in pkgutil.iter_modules() if module.ispkg)
    found = [name.removeprefix(PACKAGE) for name in packages if name.startswith(PACKAGE) and _can_be_run(name)]
    return sorted((*found, *TOOLS))


def _can_be_run(package: str) -> bool:
    try:
        return importlib.util.find_spec(f"{package}.__main__") is not None
    except ModuleNotFoundError:
        return False


def _stopped(_number: int, _frame: FrameType | None) -> None:
    # Nothing is served yet, so there is nothing to end in order.
    os._exit(STOPPED_EXIT)


def main() -> None:
    """Runs the role that the command line names, in this process."""
    signal.signal(signal.SIGTERM, _stopped)
    role = sys.argv[1] if len(sys.argv) > 1 else ""
    module = module_of(role)
    if module is None:
        print(f"there is no role {role!r}; there are {', '.join(roles())}", file=sys.stderr)
        sys.exit(UNKNOWN_EXIT)
    sys.argv[:] = sys.argv[1:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
