"""Matches on disk and back: every record is replayed and checked before it is believed."""

from fuda.records.files import dumps, load, load_foreign, loads, save
from fuda.records.replay import replay

__all__ = ["dumps", "load", "load_foreign", "loads", "replay", "save"]
