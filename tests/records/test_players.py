"""Player references, and the names that stay at home."""

import hashlib
import hmac
import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gammon_cli.local_names import KEY, NAMES, LocalNames, NamesUnusable
from gammon_match.service.requests import REFERENCE as TAKEN
from gammon_records.players import REFERENCE, player_references

KEY_OF_ONES = b"\x01" * 32
FILE = hashlib.sha256(b"a file").digest()
OTHER = hashlib.sha256(b"another").digest()


def test_a_reference_is_a_keyed_hash_of_the_name() -> None:
    first, second = player_references(KEY_OF_ONES, ("Ann", "Pläyer B"), FILE)
    expected = hmac.new(KEY_OF_ONES, b"name\x00Ann", hashlib.sha256).hexdigest()[:40]
    assert first == f"p_{expected}"
    assert REFERENCE.fullmatch(second)
    assert TAKEN.fullmatch(second)
    assert player_references(KEY_OF_ONES, ("Pläyer B ", "Ann,1699"), OTHER) == (second, first)
    assert set(player_references(b"\x02" * 32, ("Ann", "Pläyer B"), FILE)).isdisjoint({first, second})


@pytest.mark.parametrize("names", [("", "Ann"), ("  ", "Ann"), ("Ann", "Ann"), ("", "")])
def test_who_cannot_be_told_apart_is_nobody_elsewhere(names: tuple[str, str]) -> None:
    here, elsewhere = player_references(KEY_OF_ONES, names, FILE), player_references(KEY_OF_ONES, names, OTHER)
    assert here[0] != here[1]
    assert here[0] != elsewhere[0]
    assert here == player_references(KEY_OF_ONES, names, FILE)


def test_the_key_is_made_once_and_only_for_its_owner(tmp_path: Path) -> None:
    names = LocalNames(tmp_path / "deep" / "names")
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: names.key(), range(16)))
    assert len(keys) == 1
    (key,) = keys
    assert len(key) == 32
    file = names.directory / KEY
    assert file.read_bytes() == key
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    assert LocalNames(names.directory).key() == key
    assert LocalNames(tmp_path / "other").key() != key


def test_names_are_kept_byte_for_byte_and_only_for_their_owner(tmp_path: Path) -> None:
    names = LocalNames(tmp_path)
    assert names.names() == {}
    names.remember({"p_1": "Jean Luc  ", "p_2": ""})
    names.remember({"p_1": "somebody else", "p_3": "Pläyer : 3"})
    assert names.names() == {"p_1": "Jean Luc  ", "p_2": "", "p_3": "Pläyer : 3"}
    assert json.loads((tmp_path / NAMES).read_text()) == {"players": names.names()}
    assert stat.S_IMODE(os.stat(tmp_path / NAMES).st_mode) == 0o600


def test_importers_at_the_same_time_lose_no_name(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: LocalNames(tmp_path).remember({f"p_{n}": str(n)}), range(40)))
    assert LocalNames(tmp_path).names() == {f"p_{n}": str(n) for n in range(40)}


@pytest.mark.parametrize(
    ("file", "content"), [(KEY, b"short"), (NAMES, b"{"), (NAMES, b"[]"), (NAMES, b'{"players": [1]}')]
)
def test_a_spoilt_file_is_named(tmp_path: Path, file: str, content: bytes) -> None:
    (tmp_path / file).write_bytes(content)
    names = LocalNames(tmp_path)
    with pytest.raises(NamesUnusable, match=file):
        names.key() if file == KEY else names.remember({"p_1": "x"})
