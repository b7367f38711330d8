"""The law of the backgammon family, pure: no clock, no chance, no input or output."""
