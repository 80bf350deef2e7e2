"""`python -m fuda` is the command `fuda`."""

from fuda.cli import main

main()
