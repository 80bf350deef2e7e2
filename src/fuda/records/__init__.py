"""Matches on disk and back: every record is replayed and checked before it is believed."""

from fuda.records.files import dumps, load, load_foreign, load_foreign_all, loads, save
from fuda.records.replay import replay

__all__ = ["dumps", "load", "load_foreign", "load_foreign_all", "loads", "replay", "save"]
