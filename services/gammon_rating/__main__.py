"""Runs the rating service, configured by its environment (GAMMON_…, see docs/operations.md)."""

import asyncio
import contextlib
import time

import structlog
from grpc import aio
from redis.asyncio import Redis
from redis.exceptions import RedisError

from gammon.rating.v1 import rating_service_pb2_grpc
from gammon_rating.adapters.feed_client import FeedClient
from gammon_rating.adapters.redis_ledger import RedisLedger
from gammon_rating.app.consumer import consume
from gammon_rating.app.ports import Deposed, FeedRewound
from gammon_rating.service.roles import ROLES
from gammon_rating.service.servicer import DOMAIN, RatingService
from gammon_shell import logs
from gammon_shell.children import die_with_parent
from gammon_shell.config import CallerConfig, read_config
from gammon_shell.dialling import open_channel
from gammon_shell.identity import bearer
from gammon_shell.policy import policy_of
from gammon_shell.server import run, serve

SERVICE = "gammon.rating.v1.RatingService"
LOG = structlog.get_logger("rating")
AGAIN_S = 0.5


class RatingConfig(CallerConfig):
    """What the rating service is told besides."""

    redis_url: str
    match_target: str
    partitions: int = 16


async def main() -> None:
    """Serves until stopped."""
    config = read_config(RatingConfig)
    logs.configure("rating", config.log_level, config.log_format)
    policy = policy_of(config, DOMAIN, ROLES, ("match_id", "player"))
    config.service_token()
    channel = open_channel(config, "GAMMON_MATCH_TARGET", config.match_target)
    redis: Redis = Redis.from_url(config.redis_url, socket_timeout=5.0)
    ledger = RedisLedger(redis)
    feeds = FeedClient(channel, lambda: tuple(bearer(config.service_token())), config.partitions)
    working = asyncio.create_task(_work(feeds, ledger))

    async def ready() -> bool:
        return not working.done() and bool(await redis.ping())

    def add_services(server: aio.Server) -> None:
        rating_service_pb2_grpc.add_RatingServiceServicer_to_server(RatingService(ledger), server)

    try:
        await serve("rating", config, policy, add_services, {SERVICE: ready})
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        with contextlib.suppress(RedisError):
            await ledger.release()
        await channel.close()
        await redis.aclose()


async def _work(feeds: FeedClient, ledger: RedisLedger) -> None:
    """Owns the ledger and reads the feeds; begins again when the store was away, and stops when a feed was rewound."""
    while True:
        try:
            await ledger.own()
            async with asyncio.TaskGroup() as group:
                group.create_task(ledger.keep())
                group.create_task(consume(feeds, ledger, time.time_ns))
        except* FeedRewound as rewound:
            LOG.error("diverged", fault=str(rewound.exceptions[0]))
            raise
        except* (RedisError, Deposed, OSError) as failed:
            LOG.warning("begins again", fault=str(failed.exceptions[0]))
        await asyncio.sleep(AGAIN_S)


if __name__ == "__main__":
    die_with_parent()
    run(main())
