"""Runs the match service, configured by its environment (GAMMON_…, see docs/operations.md)."""

from typing import Any, Literal

import grpc
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc
from tenacity import AsyncRetrying, retry_if_result, stop_after_delay, wait_fixed

from gammon.match.v1 import match_service_pb2_grpc
from gammon_match.adapters.chance import SystemClock, SystemDice
from gammon_match.adapters.codec import ProtobufCodec
from gammon_match.adapters.partitions import partition_of
from gammon_match.adapters.redis_link import RedisLink
from gammon_match.adapters.redis_store import RedisEventStore
from gammon_match.adapters.redis_tail import RedisTail
from gammon_match.adapters.rules_client import RulesClient
from gammon_match.adapters.store_checks import StoreReport, check_store
from gammon_match.app.act import ActHandler
from gammon_match.app.automatic import AutomaticActs
from gammon_match.app.create_match import CreateMatchHandler
from gammon_match.app.direct import DirectHandler
from gammon_match.app.feeding import Feeding
from gammon_match.app.import_match import ImportMatchHandler
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.past import Past
from gammon_match.app.ports import DurabilityLevel, MatchPage
from gammon_match.app.preferences import SetPreferencesHandler
from gammon_match.app.preview import PreviewHandler
from gammon_match.app.read_match import Reader
from gammon_match.app.recording import Recorder
from gammon_match.app.take_back import TakeBackHandler
from gammon_match.app.take_seat import TakeSeatHandler
from gammon_match.app.watching import Watching
from gammon_match.service.refusal_table import DOMAIN
from gammon_match.service.roles import ROLES
from gammon_match.service.servicer import MatchService
from gammon_shell import logs
from gammon_shell.children import die_with_parent
from gammon_shell.config import CallerConfig, read_config
from gammon_shell.errors import RefusedToStart
from gammon_shell.identity import JwtPrincipals, bearer
from gammon_shell.interceptors import Policy
from gammon_shell.server import run, serve

SERVICE = "gammon.match.v1.MatchService"
RULES_SERVICE = "gammon.rules.v1.RulesService"
STORE_WITHIN_S = 15.0
LOGGED = ("match_id", "request_id", "seat")
LOG = structlog.get_logger("match")


class MatchConfig(CallerConfig):
    """What the match service is told besides."""

    redis_url: str
    rules_target: str
    partitions: int = 16
    durability: Literal["accepted", "fsynced"] = "fsynced"
    live_matches: int = 4096


async def main() -> None:
    """Serves until stopped."""
    config = read_config(MatchConfig)
    logs.configure("match", config.log_level, config.log_format)
    principals = JwtPrincipals(config.public_key(), config.auth_issuer, config.auth_audience)
    config.service_token()
    floor = DurabilityLevel[config.durability.upper()]
    link = RedisLink(config.redis_url)
    report = await _checked(link, config.partitions, floor)
    store = RedisEventStore(link, report.lineages)
    channel = grpc.aio.insecure_channel(config.rules_target)
    law = RulesClient(channel, lambda: bearer(config.service_token()))
    codec = ProtobufCodec()
    live = LiveMatches(store, codec, config.live_matches)
    tail_link = RedisLink(config.redis_url, connections=2 * config.partitions)
    tail = RedisTail(tail_link)
    watching = Watching(store, tail, codec, partition_of)
    recorder = Recorder(store, codec, SystemClock(), live, floor, watching.stored)
    past = Past(store, codec)
    automatic = AutomaticActs(law, recorder, SystemDice())
    service = MatchService(
        create=CreateMatchHandler(law, live, recorder, config.partitions),
        take_seat=TakeSeatHandler(law, live, recorder, automatic),
        act=ActHandler(law, live, recorder, SystemDice(), automatic),
        direct=DirectHandler(law, live, recorder, past, automatic),
        reader=Reader(store, live, codec),
        import_match=ImportMatchHandler(law, live, recorder, codec, config.partitions),
        watching=watching,
        feeding=Feeding(tail, config.partitions),
        preview=PreviewHandler(law, live),
        preferences=SetPreferencesHandler(live, recorder, automatic),
        take_back=TakeBackHandler(live, recorder, past, automatic),
    )
    health: Any = health_pb2_grpc.HealthStub(channel)

    async def ready() -> bool:
        answer = await health.Check(health_pb2.HealthCheckRequest(service=RULES_SERVICE), timeout=1.0)
        page = await store.list_matches("", 1)
        return answer.status == health_pb2.HealthCheckResponse.SERVING and isinstance(page, MatchPage)

    def add_services(server: grpc.aio.Server) -> None:
        match_service_pb2_grpc.add_MatchServiceServicer_to_server(service, server)

    policy = Policy(DOMAIN, ROLES, principals, LOGGED, config.longest_call_s)
    try:
        await serve("match", config, policy, add_services, {SERVICE: ready})
    finally:
        await watching.close()
        await store.aclose()
        await tail_link.aclose()
        await link.aclose()
        await law.close()
        await channel.close()


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
