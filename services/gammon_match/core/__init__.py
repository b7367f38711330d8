"""Match service: core."""
