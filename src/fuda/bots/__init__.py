"""Programs of others as players: JSON lines over standard input and output (docs/bots.md)."""
