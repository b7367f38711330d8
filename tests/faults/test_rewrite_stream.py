"""Somebody with the store's password rewrites a match: what the audit says, and what only a receipt shows."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import redis
from tests.cli.command import gammon
from tests.e2e.play import audited, backgammon, table
from tests.e2e.suite import Suite
from tests.faults.rewrite_stream import change_one_byte, entries_of, rewrite_stream

from gammon.match.v1 import events_pb2
from gammon_cli.endpoints import Endpoints
from gammon_match.adapters.partitions import keys_of
from gammon_proofs.chain import chain_hashes, genesis_hash


@pytest.mark.parametrize("place", [1, 2, 7, -2, -1])
async def test_one_byte_of_one_event_changed_names_that_event(local_suite: Suite, place: int) -> None:
    async with table(local_suite, backgammon(points=1)) as at:
        await at.play()
        with redis.Redis.from_url(local_suite.redis_url) as client:
            count = len(entries_of(client, at.match_id))
            sequence = place if place > 0 else count + 1 + place
            change_one_byte(client, at.match_id, sequence)
        report = await audited(at.clients[0], at.match_id, receipts=False)
        assert report.verdict == "FAIL"
        assert report.first_wrong is not None
        assert report.first_wrong.sequence == sequence


async def test_the_last_event_deleted_is_missed(local_suite: Suite) -> None:
    async with table(local_suite, backgammon(points=1)) as at:
        await at.play()
        with redis.Redis.from_url(local_suite.redis_url) as client:
            keys = keys_of(at.match_id)
            assert keys is not None
            last = len(entries_of(client, at.match_id))
            client.xdel(keys.events, f"{last}-0")
        report = await audited(at.clients[0], at.match_id, receipts=False)
        assert report.verdict == "FAIL"
        missing = [check for check in report.checks if check.name == "head"]
        assert missing[0].sequence == last
        assert f"event {last} is missing" in missing[0].detail


async def test_a_match_rewritten_whole_with_its_head_is_shown_by_a_receipt_alone(local_suite: Suite) -> None:
    async with table(local_suite, backgammon(points=1)) as at:
        await at.play()
        with redis.Redis.from_url(local_suite.redis_url) as client:
            forge_player(client, at.match_id)
        unaided = await audited(at.clients[0], at.match_id, receipts=False)
        assert unaided.first_wrong is None, "a forger who can compute hashes leaves no trace in the store"
        with_receipt = await audited(at.clients[0], at.match_id)
        assert with_receipt.verdict == "FAIL"
        assert with_receipt.first_wrong is not None
        assert with_receipt.first_wrong.name == "receipts"


def forge_player(client: "redis.Redis", match_id: str) -> None:
    """Seats somebody else, and computes every hash and the head anew."""
    keys = keys_of(match_id)
    assert keys is not None
    entries = entries_of(client, match_id)
    bodies = [fields[b"b"] for _, fields in entries]
    seated = events_pb2.Envelope.FromString(bodies[1])
    assert seated.seat_taken.player == "alice"
    seated.seat_taken.player = seated.actor.player = "mallory"
    bodies[1] = seated.SerializeToString()
    settings = events_pb2.Envelope.FromString(bodies[0]).match_created.settings
    hashes = list(chain_hashes(genesis_hash(match_id, settings), bodies))
    rewrite_stream(
        client,
        match_id,
        [(entry_id, {b"b": body, b"h": new}) for (entry_id, _), body, new in zip(entries, bodies, hashes, strict=True)],
    )
    client.hset(keys.head, "hash", hashes[-1])


async def test_the_audit_command_names_the_event_and_ends_with_1(local_suite: Suite, tmp_path: Path) -> None:
    async with table(local_suite, backgammon(points=1)) as at:
        await at.play()
    (tmp_path / "token").write_text(local_suite.token("auditor", "auditor"))
    endpoints = Endpoints(
        local_suite.target("rules"), local_suite.target("match"), local_suite.target("rating"), str(tmp_path / "token")
    )
    endpoints.write(tmp_path / "endpoints.json")

    async def audit_command() -> tuple[int, dict[str, Any]]:
        command = ("audit", at.match_id, "--json", "--endpoints", str(tmp_path / "endpoints.json"))
        done = await asyncio.to_thread(gammon, *command)
        return done.returncode, json.loads(done.stdout)

    code, told = await audit_command()
    assert (code, told["verdict"], told["first_wrong"]) == (0, "INCOMPLETE", None)
    with redis.Redis.from_url(local_suite.redis_url) as client:
        change_one_byte(client, at.match_id, 9)
    code, told = await audit_command()
    assert (code, told["verdict"], told["match"]) == (1, "FAIL", at.match_id)
    assert told["first_wrong"]["sequence"] == 9
