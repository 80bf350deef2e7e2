"""What trick-taking games of four seats with the French deck share. It has no rules.py: it is no game."""
