"""How agents learn: one file for each algorithm, read straight down."""
