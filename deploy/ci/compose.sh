#!/usr/bin/env bash
# Builds the image, and for each store image brings compose up, runs the end-to-end tests against it, and takes it down.
#
#   deploy/ci/compose.sh [STORE_IMAGE…]        without: valkey/valkey:9 and redis:7
#
# Needs .venv (make setup), an engine, docker-compose 1.29 or docker compose 2, and the public images or stand-ins for
# them (deploy/ci/local-images.sh). Fails when a test fails, or when taking it down lasts DOWN_WITHIN_MS.
set -euo pipefail
cd "$(dirname "$0")/../.."

STORES=("$@")
[ $# -gt 0 ] || STORES=(valkey/valkey:9 redis:7)
# What talks to a suite; tests that must start or kill its processes are deselected, and run in `make test`.
TESTS=(tests/e2e tests/bots tests/rules)
ROLES=(rules match rating)
PORT=50051
HEALTHY_WITHIN_S=60
DOWN_WITHIN_MS=5000

export COMPOSE_PROJECT_NAME=gammon-ci GAMMON_IMAGE=gammon-ledger:ci
export GAMMON_LOG_LEVEL=warning
# Set and empty: any free port, so that nothing that runs on this machine is in the way.
export GAMMON_RULES_PORT='' GAMMON_MATCH_PORT='' GAMMON_RATING_PORT=''

if command -v docker-compose >/dev/null; then COMPOSE=(docker-compose); else COMPOSE=(docker compose); fi
SCRATCH=$(mktemp -d)

say() { echo "compose: $*"; }
compose() { "${COMPOSE[@]}" "$@" 2>>"$SCRATCH/log"; }
now_ms() { date +%s%3N; }
take_down() { compose down --volumes --remove-orphans --timeout 10; }

leave() {
    local code=$?
    if [ "$code" != 0 ]; then
        tail -n 20 "$SCRATCH/log" >&2
        compose logs --tail 40 >&2 || true
    fi
    take_down || true
    # Of earlier runs: what has lost its name to a newer build.
    docker image prune --force --filter label=org.opencontainers.image.title=gammon-ledger >/dev/null || true
    rm -rf "$SCRATCH"
}
trap leave EXIT

wait_until_healthy() {
    local deadline=$((SECONDS + HEALTHY_WITHIN_S)) role container
    for role in "${ROLES[@]}"; do
        container=$(compose ps -q "$role")
        until [ "$(docker inspect --format '{{.State.Health.Status}}' "$container")" = healthy ]; do
            if [ "$SECONDS" -ge "$deadline" ]; then
                say "$role is not healthy within $HEALTHY_WITHIN_S s" >&2
                return 1
            fi
            sleep 0.2
        done
    done
}

test_with() {
    local store=$1 started taken role
    say "$store: up"
    started=$(now_ms)
    GAMMON_STORE_IMAGE=$store compose up -d --no-build
    wait_until_healthy
    say "$store: healthy after $(($(now_ms) - started)) ms"

    compose run --rm --no-deps -T --entrypoint cat key /keys/signing/signing-key.pem >"$SCRATCH/key.pem"
    local targets=("GAMMON_E2E_KEY=$SCRATCH/key.pem")
    for role in "${ROLES[@]}"; do
        targets+=("GAMMON_E2E_${role^^}_TARGET=$(compose port "$role" "$PORT")")
    done
    env "${targets[@]}" .venv/bin/python -m pytest --tb=short "${TESTS[@]}"

    started=$(now_ms)
    take_down
    taken=$(($(now_ms) - started))
    say "$store: down in $taken ms"
    if [ "$taken" -ge "$DOWN_WITHIN_MS" ]; then
        say "down must take less than $DOWN_WITHIN_MS ms" >&2
        return 1
    fi
}

take_down
say "building $GAMMON_IMAGE"
docker build --quiet --tag "$GAMMON_IMAGE" --file deploy/Dockerfile . >/dev/null 2>>"$SCRATCH/log"
for store in "${STORES[@]}"; do
    test_with "$store"
done
say "passed with ${STORES[*]}"
