"""Where a running suite is reached: the file that `gammon up` writes and every other command reads."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from grpc import aio

from gammon_client.calls import open_channel

ROLES = ("rules", "match", "rating")
# Where `make run` puts it.
USUAL = Path(".data/endpoints.json")
FILE = "endpoints.json"


class NoEndpoints(Exception):
    """There is no readable endpoints file; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Targets `host:port` by role, and the file with the token of whoever started the suite (mode 0600).

    `store`: URL of the embedded store; empty where the store is somebody else's. `tls_ca`: PEM file of the authority
    whose certificates the roles show; empty where they speak plain text.
    """

    rules: str
    match: str
    rating: str
    token_file: str
    store: str = ""
    tls_ca: str = ""

    def target(self, role: str) -> str:
        """The target of one of ROLES."""
        return {"rules": self.rules, "match": self.match, "rating": self.rating}[role]

    def channel(self, role: str) -> aio.Channel:
        """A channel to one of ROLES. Raises RefusedToStart when the authority's file is none."""
        return open_channel(self.target(role), tls_ca=Path(self.tls_ca) if self.tls_ca else None)

    def token(self) -> str:
        """The token, read anew: a suite renews it. Raises NoEndpoints."""
        try:
            return Path(self.token_file).read_text(encoding="ascii").strip()
        except OSError as error:
            raise NoEndpoints(f"token_file: {error.strerror}: {self.token_file}") from None

    def write(self, path: Path) -> None:
        """Writes the file in one go, so that nobody reads half of it."""
        draft = path.with_suffix(".new")
        draft.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")
        draft.replace(path)


def read_endpoints(path: Path | None, tls_ca: Path | None = None) -> Endpoints:
    """The endpoints of a file; None: of the usual place. Raises NoEndpoints naming the file and the fault.

    `tls_ca`: the authority to believe instead of the file's.
    """
    file = path or USUAL
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except OSError:
        raise NoEndpoints(
            f"no running suite found: there is no {file}. Start one with `gammon up --data .data`, or name its "
            "file with --endpoints or GAMMON_ENDPOINTS"
        ) from None
    except ValueError as error:
        raise NoEndpoints(f"{file} is no JSON: {error}") from None
    names = [field.name for field in fields(Endpoints)]
    told = {"tls_ca": "", **content} if isinstance(content, dict) else {}
    if not all(isinstance(told.get(name), str) for name in names):
        raise NoEndpoints(f"{file}: expected an object with the texts {', '.join(names)}")
    endpoints = Endpoints(**{name: told[name] for name in names})
    return endpoints if tls_ca is None else replace(endpoints, tls_ca=str(tls_ca))
