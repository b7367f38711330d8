"""The match service over gRPC: requests in, answers out, refusals as statuses."""
