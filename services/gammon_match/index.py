"""Checks the index of matches against the logs, or makes it right, while play goes on.

`python -m gammon_match.index check|rebuild [--json]`, told by its environment as the match service is: GAMMON_REDIS_URL
and GAMMON_PARTITIONS. Exit 0: all is right, or is now. 1: something is wrong. 2: refused, with a sentence.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence

from gammon_match.adapters.codec import ProtobufCodec
from gammon_match.adapters.partitions import partition_of
from gammon_match.adapters.redis_link import RedisLink
from gammon_match.adapters.redis_store import RedisEventStore
from gammon_match.adapters.redis_upkeep import RedisIndexUpkeep
from gammon_match.adapters.store_checks import check_store
from gammon_match.app.ports import DurabilityLevel, Unreadable
from gammon_match.app.reindex import UNREADABLE, Looked, Reindex
from gammon_shell.config import RoleConfig, read_config
from gammon_shell.errors import RefusedToStart

WRONG_EXIT, REFUSED_EXIT = 1, 2
BAR_WIDTH, STEPS = 40, 200


class IndexConfig(RoleConfig):
    """Which store."""

    redis_url: str
    partitions: int = 16


async def go_over(config: IndexConfig, *, mend: bool, as_json: bool) -> bool:
    """Goes over the index, telling what is wrong; whether all is right in the end. Raises RefusedToStart."""
    link = RedisLink(config.redis_url)
    try:
        report = await check_store(link, config.partitions, DurabilityLevel.ACCEPTED)
        if report.faults:
            raise RefusedToStart("; ".join(map(str, report.faults)))
        store = RedisEventStore(link, report.lineages)
        reindex = Reindex(store, RedisIndexUpkeep(link), ProtobufCodec(), partition_of)
        matches, faults, lasting = 0, 0, 0
        async for looked in reindex.run(config.partitions, mend=mend):
            if isinstance(looked, Unreadable):
                raise RefusedToStart(f"the store did not answer: {looked.cause}")
            matches, faults = looked.done, faults + len(looked.faults)
            lasting += sum(not mend or fault.startswith(UNREADABLE) for fault in looked.faults)
            _tell(looked, as_json=as_json)
            _draw(looked)
    finally:
        await link.aclose()
    _sum_up(matches, faults, mend=mend, as_json=as_json)
    return lasting == 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Does what the command line says."""
    parser = argparse.ArgumentParser(prog="index", description="The index of matches against the logs.")
    parser.add_argument("action", choices=("check", "rebuild"), help="name what is wrong, or make it right as well")
    parser.add_argument("--json", action="store_true", help="print JSON for machines")
    given = parser.parse_args(arguments)
    try:
        config = read_config(IndexConfig)
        right = asyncio.run(go_over(config, mend=given.action == "rebuild", as_json=given.json))
    except RefusedToStart as refusal:
        print(f"refused: {refusal}", file=sys.stderr)
        return REFUSED_EXIT
    return 0 if right else WRONG_EXIT


def _tell(looked: Looked, *, as_json: bool) -> None:
    for fault in looked.faults:
        _clear()
        if as_json:
            print(json.dumps({"match": looked.match_id, "fault": fault}, separators=(",", ":")))
        else:
            print(f"{looked.match_id}: {fault}" if looked.match_id else fault)


def _sum_up(matches: int, faults: int, *, mend: bool, as_json: bool) -> None:
    _clear()
    if as_json:
        print(json.dumps({"matches": matches, "faults": faults, "rebuilt": mend}, separators=(",", ":")))
        return
    outcome = f"{faults} {'found and made right' if mend else 'found'}" if faults else "none found"
    print(f"Matches looked at: {matches}. Faults: {outcome}.")


def _draw(looked: Looked) -> None:
    if not sys.stderr.isatty() or looked.done % max(looked.total // STEPS, 1):
        return
    done = BAR_WIDTH * looked.done // max(looked.total, 1)
    bar = "#" * done + "." * (BAR_WIDTH - done)
    print(f"\r{bar} {looked.done}/{looked.total}", end="", file=sys.stderr, flush=True)


def _clear() -> None:
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
