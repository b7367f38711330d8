"""`gammon token`: a token for development, made with the key that `gammon up` keeps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from gammon_cli.endpoints import USUAL
from gammon_cli.screen import JsonOption, print_json, told
from gammon_cli.suite import KEYS
from gammon_shell.config import RoleConfig
from gammon_shell.errors import RefusedToStart
from gammon_shell.identity import REFERENCE, SigningKey
from gammon_shell.key import SIGNING_KEY

DEFAULTS = RoleConfig.model_fields
ISSUER, AUDIENCE = DEFAULTS["auth_issuer"].default, DEFAULTS["auth_audience"].default


class Role(StrEnum):
    """What a caller may be."""

    PLAYER = "player"
    SPECTATOR = "spectator"
    OPERATOR = "operator"
    AUDITOR = "auditor"
    SERVICE = "service"


def token(
    subject: Annotated[str, typer.Argument(help="Who it is for: a reference such as player:anna, never a name.")],
    roles: Annotated[list[Role], typer.Argument(metavar="ROLE…", help=" | ".join(Role), show_default=False)],
    valid_days: Annotated[
        int | None, typer.Option(min=1, max=3650, help="How long it is good.", show_default="1")
    ] = None,
    valid_minutes: Annotated[int | None, typer.Option(min=1, max=1440, help="The same, for a short time.")] = None,
    directory: Annotated[
        Path, typer.Option(help="Where the key is: the --data of `gammon up`, or the directory of the key tool.")
    ] = USUAL.parent,
    issuer: Annotated[str, typer.Option(help="What the services expect.")] = ISSUER,
    audience: Annotated[str, typer.Option(help="What the services expect.")] = AUDIENCE,
    as_json: JsonOption = False,
) -> None:
    """Print a token for development, signed with the key that `gammon up` made. Whoever has that key can be anybody."""
    if REFERENCE.fullmatch(subject) is None:
        raise typer.BadParameter("1 to 64 of A-Z a-z 0-9 _ . : @ - are allowed", param_hint="SUBJECT")
    if valid_days is not None and valid_minutes is not None:
        raise typer.BadParameter("say --valid-days or --valid-minutes, not both")
    valid = timedelta(minutes=valid_minutes) if valid_minutes is not None else timedelta(days=valid_days or 1)
    names = sorted(set(roles))
    with told():
        made = signing_key(directory).token(subject, names, issuer, audience, int(valid.total_seconds()))
    if as_json:
        expires = datetime.now(UTC) + valid
        print_json(
            {"token": made, "subject": subject, "roles": names, "expires": expires.isoformat(timespec="seconds")}
        )
    else:
        typer.echo(made)


def signing_key(directory: Path) -> SigningKey:
    """The key of a suite's directory, or of the key tool's. Raises RefusedToStart that says how to get one."""
    for file in (directory / KEYS[0], directory / SIGNING_KEY):
        try:
            return SigningKey.of(file.read_bytes())
        except FileNotFoundError:
            continue
        except OSError as error:
            raise RefusedToStart(f"cannot read the signing key: {error.strerror}: {file}") from None
    raise RefusedToStart(
        f"there is no signing key in {directory}. `gammon up --data {directory}` makes one; if yours is elsewhere, "
        "name its place with --directory"
    )
