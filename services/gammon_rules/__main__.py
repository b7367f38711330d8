"""Runs the rules service, configured by its environment (GAMMON_…, see docs/operations.md)."""

from grpc.aio import Server

from gammon.rules.v1 import rules_service_pb2_grpc
from gammon_rules.app.rulings import Rulings
from gammon_rules.service.refusal_table import DOMAIN
from gammon_rules.service.roles import ROLES
from gammon_rules.service.servicer import RulesService
from gammon_shell import logs
from gammon_shell.children import die_with_parent
from gammon_shell.config import Count, RoleConfig, read_config
from gammon_shell.policy import policy_of
from gammon_shell.server import run, serve

SERVICE = "gammon.rules.v1.RulesService"


class RulesConfig(RoleConfig):
    """What the rules service is told: it takes a thousand questions in one message."""

    most_message_bytes: Count = 1024 * 1024


async def main() -> None:
    """Serves until stopped."""
    config = read_config(RulesConfig)
    logs.configure("rules", config.log_level, config.log_format)
    policy = policy_of(config, DOMAIN, ROLES)

    def add_services(server: Server) -> None:
        rules_service_pb2_grpc.add_RulesServiceServicer_to_server(RulesService(Rulings()), server)

    async def always() -> bool:
        return True  # the law needs nobody

    await serve("rules", config, policy, add_services, {SERVICE: always})


if __name__ == "__main__":
    die_with_parent()
    run(main())
