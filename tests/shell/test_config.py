"""What the environment may say, and what is refused by name."""

from pathlib import Path

import pytest

from gammon_shell.config import RoleConfig, read_config
from gammon_shell.errors import RefusedToStart


class StoreConfig(RoleConfig):
    """A role with a variable of its own that must be set."""

    store_url: str
    limit: int = 3


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Nothing of ours is set."""
    import os

    for name in [name for name in os.environ if name.startswith("GAMMON_")]:
        monkeypatch.delenv(name)
    return monkeypatch


def test_defaults_are_safe() -> None:
    config = read_config(RoleConfig)
    assert (config.host, config.plaintext, config.reflection) == ("127.0.0.1", False, False)
    assert config.tls() is None
    config.check_address()


def test_there_is_no_default_key() -> None:
    with pytest.raises(RefusedToStart, match="GAMMON_AUTH_PUBLIC_KEY is not set"):
        read_config(RoleConfig).public_key()


def test_an_empty_variable_is_not_set(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("GAMMON_AUTH_PUBLIC_KEY", "")
    environment.setenv("GAMMON_PORT", "")
    with pytest.raises(RefusedToStart, match="GAMMON_AUTH_PUBLIC_KEY is not set"):
        read_config(RoleConfig).public_key()


def test_a_key_that_cannot_be_read_is_named(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv("GAMMON_AUTH_PUBLIC_KEY", str(tmp_path / "none.pem"))
    with pytest.raises(RefusedToStart, match=r"GAMMON_AUTH_PUBLIC_KEY: No such file or directory: .*none\.pem"):
        read_config(RoleConfig).public_key()


def test_every_faulty_variable_is_named_and_no_value_told(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("GAMMON_PORT", "70000")
    environment.setenv("GAMMON_LOG_LEVEL", "loud")
    environment.setenv("GAMMON_LIMIT", "hunter2")
    environment.setenv("GAMMON_AUTH_ISSUER", "hunter2")
    with pytest.raises(RefusedToStart) as refused:
        read_config(StoreConfig)
    text = str(refused.value)
    for name in ("GAMMON_PORT", "GAMMON_LOG_LEVEL", "GAMMON_LIMIT", "GAMMON_STORE_URL is not set"):
        assert name in text
    assert "hunter2" not in text


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "gateway.example"])
def test_an_open_address_needs_tls_or_a_word(environment: pytest.MonkeyPatch, tmp_path: Path, host: str) -> None:
    environment.setenv("GAMMON_HOST", host)
    with pytest.raises(RefusedToStart, match=r"GAMMON_HOST is .*GAMMON_PLAINTEXT"):
        read_config(RoleConfig).check_address()
    environment.setenv("GAMMON_PLAINTEXT", "1")
    read_config(RoleConfig).check_address()
    environment.delenv("GAMMON_PLAINTEXT")
    for name in ("GAMMON_TLS_CERTIFICATE", "GAMMON_TLS_KEY"):
        (tmp_path / name).write_text("pem")
        environment.setenv(name, str(tmp_path / name))
    read_config(RoleConfig).check_address()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_loopback_needs_neither(environment: pytest.MonkeyPatch, host: str) -> None:
    environment.setenv("GAMMON_HOST", host)
    read_config(RoleConfig).check_address()


@pytest.mark.parametrize("name", ["GAMMON_TLS_CERTIFICATE", "GAMMON_TLS_KEY"])
def test_half_of_tls_is_not_plaintext(environment: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    (tmp_path / "half.pem").write_text("pem")
    environment.setenv(name, str(tmp_path / "half.pem"))
    with pytest.raises(RefusedToStart, match="go together"):
        read_config(RoleConfig).tls()


def test_a_configuration_does_not_change() -> None:
    with pytest.raises(Exception, match="frozen"):
        read_config(RoleConfig).port = 1
