"""The rules service: what it answers, on the engine and the wire codec."""
