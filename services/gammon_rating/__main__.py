"""The rating service as a process: `python -m gammon_rating`, told by GAMMON_ variables."""

from gammon.rating.v1 import rating_service_pb2_grpc
from gammon_rating.service.not_served_yet import DOMAIN, NotServedYet
from gammon_rating.service.roles import ROLES
from gammon_shell import logs
from gammon_shell.children import die_with_parent
from gammon_shell.config import RoleConfig, read_config
from gammon_shell.identity import JwtPrincipals
from gammon_shell.interceptors import Policy
from gammon_shell.server import run, serve

SERVICE = "gammon.rating.v1.RatingService"


async def main() -> None:
    """Serves until it is stopped. Raises RefusedToStart."""
    config = read_config(RoleConfig)
    logs.configure("rating", config.log_level)
    principals = JwtPrincipals(config.public_key(), config.auth_issuer, config.auth_audience)
    policy = Policy(DOMAIN, ROLES, principals, longest_s=config.longest_call_s)
    servicer = NotServedYet()
    await serve(
        "rating",
        config,
        policy,
        lambda server: rating_service_pb2_grpc.add_RatingServiceServicer_to_server(servicer, server),
        {SERVICE: _well},
    )


async def _well() -> bool:
    # It needs nothing yet.
    return True


if __name__ == "__main__":
    die_with_parent()
    run(main())
