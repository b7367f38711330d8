"""The rating service over gRPC."""
