"""A throw-away key that signs tokens, kept in a directory: for development, compose and tests.

`python -m gammon_shell.key make --directory DIR [--service SUBJECT]…` makes what is missing:

- `signing/signing-key.pem`: whoever reads it can be anybody. It is for operators.
- `public/public-key.pem`: what every role verifies tokens with.
- `tokens/SUBJECT`: for each service, a token with the role `service`. It is written anew each time.

`python -m gammon_shell.key token --directory DIR SUBJECT ROLE…` prints a token.

The three parts are directories of their own, so that each can be a volume that only those get who need it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from gammon_shell.config import RoleConfig
from gammon_shell.errors import RefusedToStart
from gammon_shell.identity import REFERENCE, SigningKey, write_secret

SIGNING_KEY = Path("signing/signing-key.pem")
PUBLIC_KEY = Path("public/public-key.pem")
TOKENS = Path("tokens")
SERVICE_ROLE = "service"
DAY_S = 86_400
REFUSED_EXIT = 2


def make(directory: Path, services: Sequence[str], valid_days: int) -> bool:
    """Makes the key if there is none, and writes all that follows from it. Returns whether the key is new.

    `services`: subjects that get a token with the role `service`, valid for so many days. Raises RefusedToStart when
    the directory cannot be written, or holds something else.
    """
    try:
        is_new = not (directory / SIGNING_KEY).exists()
        if is_new:
            _write(directory / SIGNING_KEY, SigningKey.make().private_pem)
        key = SigningKey.of((directory / SIGNING_KEY).read_bytes())
        _write(directory / PUBLIC_KEY, key.public_pem, mode=0o644)
        for subject in services:
            token = _token(key, subject, [SERVICE_ROLE], valid_days)
            _write(directory / TOKENS / subject, token.encode())
    except OSError as error:
        raise RefusedToStart(f"cannot keep keys in {directory}: {error.strerror}: {error.filename}") from None
    return is_new


def token(directory: Path, subject: str, roles: Sequence[str], valid_days: int) -> str:
    """A token of the directory's key. Raises RefusedToStart when there is none."""
    try:
        private_pem = (directory / SIGNING_KEY).read_bytes()
    except OSError as error:
        raise RefusedToStart(f"cannot read the signing key: {error.strerror}: {error.filename}") from None
    return _token(SigningKey.of(private_pem), subject, roles, valid_days)


def _token(key: SigningKey, subject: str, roles: Sequence[str], valid_days: int) -> str:
    if REFERENCE.fullmatch(subject) is None:
        raise RefusedToStart(f"the subject {subject!r} is not 1 to 64 of A-Z a-z 0-9 _ . : @ -")
    expected = RoleConfig.model_fields
    issuer, audience = expected["auth_issuer"].default, expected["auth_audience"].default
    return key.token(subject, roles, issuer, audience, valid_days * DAY_S)


def _write(path: Path, content: bytes, mode: int = 0o600) -> None:
    # In one go: a role may read it at any time, and half a key would be kept for ever.
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.new")
    write_secret(draft, content)
    draft.chmod(mode)
    draft.replace(path)


def _days(text: str) -> int:
    days = int(text)
    if not 1 <= days <= 36_500:
        raise argparse.ArgumentTypeError(f"{days} days: 1 to 36500 are allowed")
    return days


def main(arguments: Sequence[str] | None = None) -> int:
    """Does what the command line says. 0: done. 2: refused, with a sentence."""
    parser = argparse.ArgumentParser(prog="key", description="A throw-away key that signs tokens.")
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="make the key if there is none, and the services' tokens")
    making.add_argument("--service", action="append", default=[], metavar="SUBJECT", help="a service with a token")
    making.add_argument("--valid-days", type=_days, default=3650, help="how long those tokens are good")
    asking = commands.add_parser("token", help="print a token")
    asking.add_argument("subject", help="an opaque reference, no name")
    asking.add_argument("roles", nargs="+", metavar="role")
    asking.add_argument("--valid-days", type=_days, default=1, help="how long the token is good")
    for command in (making, asking):
        command.add_argument("--directory", type=Path, default=Path("/keys"), help="where the key is kept")
    given = parser.parse_args(arguments)
    try:
        if given.command == "make":
            is_new = make(given.directory, given.service, given.valid_days)
            print(f"{'made' if is_new else 'kept'} the key in {given.directory}")
        else:
            print(token(given.directory, given.subject, given.roles, given.valid_days))
    except RefusedToStart as refusal:
        print(f"refused: {refusal}", file=sys.stderr)
        return REFUSED_EXIT
    return 0


if __name__ == "__main__":
    sys.exit(main())
