"""What the states of all games have in common: the fields `seat` and `status`."""

NOBODY = -1  # `seat` when no seat moves
PLAYING, AWAITING_DEAL, OVER = range(3)  # `status`
