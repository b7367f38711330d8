"""Who is behind a player reference: a key and a file of names that stay on the importer's machine."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from gammon_records.players import KEY_BYTES
from gammon_shell.identity import write_secret

KEY = "player-key"
NAMES = "names.json"
LOCK = "names.lock"

NamesOption = Annotated[
    Path | None,
    typer.Option(
        "--names",
        envvar="GAMMON_NAMES",
        help="Directory with the key and the names of players. They never leave this machine.",
        show_default="the user's own",
    ),
]


class NamesUnusable(Exception):
    """The directory cannot be read or written; the text says what is wrong with which file."""


@dataclass(frozen=True, slots=True)
class LocalNames:
    """The key and the names in a directory, made at first use and readable only by their owner."""

    directory: Path

    def key(self) -> bytes:
        """The key of all references. Raises NamesUnusable."""
        path = self.directory / KEY
        with _usable(path):
            if not path.exists():
                self._make_key(path)
            key = path.read_bytes()
        if len(key) != KEY_BYTES:
            raise NamesUnusable(f"{path}: a key has {KEY_BYTES} bytes, this file {len(key)}")
        return key

    def names(self) -> dict[str, str]:
        """The known names by reference. Raises NamesUnusable."""
        path = self.directory / NAMES
        with _usable(path):
            if not path.exists():
                return {}
            content = json.loads(path.read_text(encoding="utf-8"))
        known = content.get("players") if isinstance(content, dict) else None
        if not isinstance(known, dict) or not all(isinstance(name, str) for name in known.values()):
            raise NamesUnusable(f"{path}: expected an object with `players`: names by reference")
        return known

    def remember(self, told: Mapping[str, str]) -> None:
        """Adds names by reference; a name that is known already stays. Raises NamesUnusable."""
        path = self.directory / NAMES
        with _usable(path), self._locked():
            known = self.names()
            if all(reference in known for reference in told):
                return
            draft = path.with_suffix(".new")
            ordered = dict(sorted({**told, **known}.items()))
            write_secret(draft, (json.dumps({"players": ordered}, ensure_ascii=False, indent=1) + "\n").encode())
            draft.replace(path)

    def _make_key(self, path: Path) -> None:
        with self._locked():
            if not path.exists():
                draft = path.with_suffix(".new")
                write_secret(draft, secrets.token_bytes(KEY_BYTES))
                draft.replace(path)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One importer at a time changes the files."""
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(self.directory / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def local_names(directory: Path | None) -> LocalNames:
    """The names of a directory; None: of the user's own."""
    return LocalNames(directory or Path(typer.get_app_dir("gammon")))


@contextmanager
def _usable(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise NamesUnusable(f"{path}: {error}") from None
