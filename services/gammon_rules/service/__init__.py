"""The rules service over gRPC."""
