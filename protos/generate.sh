#!/usr/bin/env bash
# Generates the Python code of all contracts into a folder: protos/generate.sh services
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1
PATH="$PWD/.venv/bin:$PATH"
rm -rf "$out/gammon"
mkdir -p "$out"
find protos -name '*.proto' | sort | xargs python -m grpc_tools.protoc -Iprotos \
  --python_out="$out" --grpc_python_out="$out" --mypy_out=quiet:"$out" --mypy_grpc_out=quiet:"$out"
# Only the files that hold a service get gRPC code.
find "$out/gammon" -name '*_pb2_grpc.py*' ! -name '*_service_pb2_grpc.py*' -delete
