"""The echo service as a role of its own, as the services write theirs. `GAMMON_WELL_FILE`: healthy while it exists."""

from pathlib import Path

from tests.shell.echo import DOMAIN, ROLES, SERVICE, add_echo

from gammon_shell import logs
from gammon_shell.config import RoleConfig, read_config
from gammon_shell.policy import policy_of
from gammon_shell.server import run, serve


class EchoConfig(RoleConfig):
    """What the role is told besides."""

    well_file: Path | None = None


async def main() -> None:
    """Serves until stopped."""
    config = read_config(EchoConfig)
    logs.configure("echo", config.log_level, config.log_format)
    policy = policy_of(config, DOMAIN, ROLES, ("name",))

    async def well() -> bool:
        return config.well_file is None or config.well_file.exists()

    await serve("echo", config, policy, add_echo, {SERVICE: well})


if __name__ == "__main__":
    run(main())
