"""Players that act through the client. Simple and quick, not strong."""
