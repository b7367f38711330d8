"""A parent of children, as `gammon up` is one: starts them, says their ids and ports, and ends when one ends."""

import asyncio
import json
import signal
import sys

from gammon_shell.children import Children, ChildSpec


async def main(commands: dict[str, list[str]]) -> int:
    """Exit code: 0 stopped, 1 a child ended."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    children = Children()
    ports = {
        name: await children.start(ChildSpec(name, [sys.executable, *command], {}))
        for name, command in commands.items()
    }
    print(json.dumps({name: children.pid(name) for name in commands}), flush=True)
    print(json.dumps(ports), flush=True)
    waits = {asyncio.create_task(stop.wait()), asyncio.create_task(children.first_to_end())}
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for task in waits:
        task.cancel()
    await children.stop()
    return 0 if stop.is_set() else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(json.loads(sys.argv[1]))))
