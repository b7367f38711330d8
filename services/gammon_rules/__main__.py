"""Runs the rules service, configured by its environment (GAMMON_…, see docs/operations.md)."""

from grpc.aio import Server

from gammon.rules.v1 import rules_service_pb2_grpc
from gammon_rules.app.rulings import Rulings
from gammon_rules.service.refusal_table import DOMAIN
from gammon_rules.service.roles import ROLES
from gammon_rules.service.servicer import RulesService
from gammon_shell import logs
from gammon_shell.children import die_with_parent
from gammon_shell.config import RoleConfig, read_config
from gammon_shell.identity import JwtPrincipals
from gammon_shell.interceptors import Policy
from gammon_shell.server import run, serve

SERVICE = "gammon.rules.v1.RulesService"


async def main() -> None:
    """Serves until stopped."""
    config = read_config(RoleConfig)
    logs.configure("rules", config.log_level, config.log_format)
    principals = JwtPrincipals(config.public_key(), config.auth_issuer, config.auth_audience)
    policy = Policy(DOMAIN, ROLES, principals, longest_s=config.longest_call_s)

    def add_services(server: Server) -> None:
        rules_service_pb2_grpc.add_RulesServiceServicer_to_server(RulesService(Rulings()), server)

    async def always() -> bool:
        return True  # the law needs nobody

    await serve("rules", config, policy, add_services, {SERVICE: always})


if __name__ == "__main__":
    die_with_parent()
    run(main())
