"""Matches on disk and back: every record is replayed and checked before it is believed."""

from fuda.records.files import load, load_foreign, save
from fuda.records.replay import replay

__all__ = ["load", "load_foreign", "replay", "save"]
