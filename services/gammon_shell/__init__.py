"""What every role needs around its core: start and stop, calls, identity, settings, logs, child processes."""
