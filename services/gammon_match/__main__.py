"""Runs the match service, configured by its environment (GAMMON_…, see docs/operations.md)."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from secrets import token_hex
from time import monotonic_ns
from typing import Any, Literal

import grpc
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc
from tenacity import AsyncRetrying, retry_if_result, stop_after_delay, wait_fixed

from gammon.match.v1 import match_service_pb2_grpc
from gammon_match.adapters.chance import SystemClock, SystemDice
from gammon_match.adapters.codec import ProtobufCodec
from gammon_match.adapters.invitation_secret import invitation_secret
from gammon_match.adapters.partitions import partition_of
from gammon_match.adapters.redis_checkpoints import RedisCheckpoints
from gammon_match.adapters.redis_index import RedisMatchIndex
from gammon_match.adapters.redis_leases import RedisLeases, RedisTime
from gammon_match.adapters.redis_link import RedisLink
from gammon_match.adapters.redis_store import RedisEventStore
from gammon_match.adapters.redis_tail import RedisTail
from gammon_match.adapters.rules_client import RulesClient
from gammon_match.adapters.store_checks import StoreReport, check_store
from gammon_match.app.act import ActHandler
from gammon_match.app.automatic import AutomaticActs
from gammon_match.app.checkpoints import Checkpointing
from gammon_match.app.claim import ClaimHandler
from gammon_match.app.create_match import CreateMatchHandler
from gammon_match.app.deciding import Decider
from gammon_match.app.direct import DirectHandler
from gammon_match.app.feeding import Feeding
from gammon_match.app.finding import Finding
from gammon_match.app.following import Following
from gammon_match.app.import_match import ImportMatchHandler
from gammon_match.app.invitations import Invitations
from gammon_match.app.invite import InviteHandler
from gammon_match.app.lapse import Lapses
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.lobby import Lobby
from gammon_match.app.past import Past
from gammon_match.app.pausing import PauseHandler
from gammon_match.app.ports import DurabilityLevel, StoredEvent, Unreadable
from gammon_match.app.preferences import SetPreferencesHandler
from gammon_match.app.presence import Presence
from gammon_match.app.preview import PreviewHandler
from gammon_match.app.read_match import Reader
from gammon_match.app.recording import Recorder
from gammon_match.app.rematch import RematchHandler
from gammon_match.app.seeing import Seeing
from gammon_match.app.take_back import TakeBackHandler
from gammon_match.app.take_seat import TakeSeatHandler
from gammon_match.app.tenure import AT, LeasedTenure
from gammon_match.app.timekeeper import Timekeeper
from gammon_match.app.timers import TakeOver, Timers
from gammon_match.app.watching import Watching
from gammon_match.service.handing_on import HandingOn
from gammon_match.service.refusal_table import DOMAIN
from gammon_match.service.roles import ROLES
from gammon_match.service.servicer import MatchService
from gammon_match.service.timing import LAPSE
from gammon_shell import logs
from gammon_shell.children import die_with_parent
from gammon_shell.config import CallerConfig, read_config
from gammon_shell.dialling import open_channel
from gammon_shell.errors import RefusedToStart
from gammon_shell.identity import bearer
from gammon_shell.policy import policy_of
from gammon_shell.server import run, serve

SERVICE = "gammon.match.v1.MatchService"
RULES_SERVICE = "gammon.rules.v1.RulesService"
STORE_WITHIN_S = 15.0
LOGGED = ("match_id", "request_id", "seat")
LOG = structlog.get_logger("match")


class MatchConfig(CallerConfig):
    """What the match service is told besides. `match_address`: where its other processes reach this one, if any."""

    redis_url: str
    rules_target: str
    partitions: int = 16
    durability: Literal["accepted", "fsynced"] = "fsynced"
    live_matches: int = 4096
    match_address: str | None = None


async def main() -> None:
    """Serves until stopped."""
    config = read_config(MatchConfig)
    logs.configure("match", config.log_level, config.log_format)
    policy = policy_of(config, DOMAIN, ROLES, LOGGED)
    config.service_token()
    channel = open_channel(config, "GAMMON_RULES_TARGET", config.rules_target)
    floor = DurabilityLevel[config.durability.upper()]
    link = RedisLink(config.redis_url)
    report = await _checked(link, config.partitions, floor)
    secret = await invitation_secret(link)
    if isinstance(secret, str):
        raise RefusedToStart(f"invitations: {secret}")
    invitations = Invitations(secret)
    store = RedisEventStore(link, report.lineages)
    law = RulesClient(channel, lambda: bearer(config.service_token()))
    codec = ProtobufCodec()
    time_link = RedisLink(config.redis_url, connections=4)
    name = f"match-{token_hex(8)}"
    if config.match_address is not None:
        await _dial(config, config.match_address).close()
        name += AT + config.match_address
    tenure = LeasedTenure(RedisLeases(time_link, config.partitions), name, partition_of, monotonic_ns)
    checkpointing = Checkpointing(RedisCheckpoints(link))
    live = LiveMatches(
        store, codec, checkpointing, config.live_matches, lambda match_id: tenure.term(match_id) is not None
    )
    tail_link = RedisLink(config.redis_url, connections=4 * config.partitions)
    tail = RedisTail(tail_link)
    seeing = Seeing(store, live, codec)
    presence = Presence()
    watching = Watching(seeing, tail, partition_of, presence, tenure.measured_by)
    index = RedisMatchIndex(link)
    following = Following(tail, partition_of)
    lobby = Lobby(index, tail, following, codec, partition_of, config.partitions)

    def stored(match_id: str, events: Sequence[StoredEvent]) -> None:
        watching.stored(match_id, events)
        following.stored(match_id, events)

    time = Timekeeper(monotonic_ns, RedisTime(time_link), tenure)
    recorder = Recorder(store, codec, SystemClock(), live, time, floor, stored)
    lapses = Lapses(law, recorder, LAPSE)
    past = Past(store, live, codec)
    automatic = AutomaticActs(law, recorder, SystemDice())
    decider = Decider(live, recorder, automatic)
    timers = Timers(live, recorder, lapses, presence, automatic, monotonic_ns)
    tenure.on_gain, tenure.on_elsewhere = TakeOver(index, timers).begin, watching.look_again
    handing_on = HandingOn(tenure.address, partial(_dial, config))
    background = [
        asyncio.create_task(_kept_running("tenure", tenure.run)),
        asyncio.create_task(_kept_running("timers", timers.run)),
    ]
    service = MatchService(
        create=CreateMatchHandler(law, live, recorder, config.partitions),
        take_seat=TakeSeatHandler(law, live, recorder, invitations, automatic),
        invite=InviteHandler(live, invitations),
        rematch=RematchHandler(law, live, recorder, config.partitions),
        law=law,
        act=ActHandler(decider, recorder, law, SystemDice(), lapses),
        direct=DirectHandler(decider, recorder, law, past),
        pause=PauseHandler(decider, recorder),
        claim=ClaimHandler(decider, recorder, lapses),
        reader=Reader(store, seeing, codec),
        import_match=ImportMatchHandler(law, live, recorder, codec, config.partitions),
        watching=watching,
        feeding=Feeding(tail, config.partitions),
        finding=Finding(index, codec, partition_of, config.partitions),
        lobby=lobby,
        time=time,
        preview=PreviewHandler(law, live),
        preferences=SetPreferencesHandler(decider, recorder),
        take_back=TakeBackHandler(decider, recorder, past),
        handing_on=handing_on,
    )
    health: Any = health_pb2_grpc.HealthStub(channel)

    async def ready() -> bool:
        answer = await health.Check(health_pb2.HealthCheckRequest(service=RULES_SERVICE), timeout=1.0)
        page = await index.page(0, (), "", 1)
        return answer.status == health_pb2.HealthCheckResponse.SERVING and not isinstance(page, Unreadable)

    def add_services(server: grpc.aio.Server) -> None:
        match_service_pb2_grpc.add_MatchServiceServicer_to_server(service, server)

    try:
        await serve("match", config, policy, add_services, {SERVICE: ready})
    finally:
        await lobby.close()
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)
        await handing_on.close()
        await automatic.close()
        await following.close()
        await watching.close()
        await store.aclose()
        await checkpointing.close()
        await tail_link.aclose()
        await time_link.aclose()
        await link.aclose()
        await law.close()
        await channel.close()


def _dial(config: MatchConfig, address: str) -> grpc.aio.Channel:
    return open_channel(config, "GAMMON_MATCH_ADDRESS", address)


async def _kept_running(name: str, work: Callable[[], Awaitable[None]]) -> None:
    """Background work, for as long as the process lives: a fault of it is logged, and it begins again."""
    while True:
        try:
            await work()
        except Exception:
            LOG.exception("background", work=name)
            await asyncio.sleep(1)


async def _checked(link: RedisLink, partitions: int, floor: DurabilityLevel) -> StoreReport:
    """The report on a store that may still be starting. Raises RefusedToStart with every fault of it."""
    # A store that was started together with this service may need a moment, to load its file for one.
    patiently = AsyncRetrying(
        retry=retry_if_result(_unreachable),
        wait=wait_fixed(0.2),
        stop=stop_after_delay(STORE_WITHIN_S),
        retry_error_callback=lambda state: state.outcome.result() if state.outcome else None,
    )
    report: StoreReport = await patiently(check_store, link, partitions, floor)
    for warning in report.warnings:
        LOG.warning("store", finding=str(warning))
    if report.faults:
        raise RefusedToStart("; ".join(str(fault) for fault in report.faults))
    LOG.info("store", server=report.server, offered=report.offered.name)
    return report


def _unreachable(report: StoreReport) -> bool:
    return any(fault.name == "unreachable" for fault in report.faults)


if __name__ == "__main__":
    die_with_parent()
    run(main())
