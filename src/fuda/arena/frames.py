"""What a tournament and its worker processes send each other: pickles, one after the other."""

import pickle
from typing import Any


def write_frame(stream: Any, given: object) -> None:
    """Send one, at once."""
    pickle.dump(given, stream)
    stream.flush()


def read_frame(stream: Any) -> Any:
    """The next one; one of several errors where the other process is lost."""
    return pickle.load(stream)
