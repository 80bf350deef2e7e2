"""What works on any game: descriptor, match, lock-step runner, compiling, seeding."""
