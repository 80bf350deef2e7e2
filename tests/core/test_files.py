"""Files that replace others whole or not at all."""

import os
import threading

import pytest

from fuda.core.files import replacing


@pytest.fixture
def paths(tmp_path):
    found = [tmp_path / "first", tmp_path / "second"]
    for path in found:
        path.write_text("old")
    return found


def contents(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.parametrize("how", [{}, {"sync": False}, {"shared": True}], ids=["", "unsynced", "shared"])
def test_all_are_replaced_when_all_are_written(paths, tmp_path, how):
    with replacing(*paths, **how) as (first, second):
        first.write(b"new")
        second.write(b"newer")
        assert {contents(tmp_path)[path.name] for path in paths} == {"old"}
    assert contents(tmp_path) == {"first": "new", "second": "newer"}


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_leaves_the_old_files_and_nothing_else(paths, tmp_path, error):
    def write():
        with replacing(*paths) as (first, _):
            first.write(b"new")
            raise error

    with pytest.raises(error):
        write()
    assert contents(tmp_path) == {"first": "old", "second": "old"}


def test_a_file_that_cannot_be_written(tmp_path):
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "nowhere" / "first"):
        pass
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError), replacing(tmp_path / "folder") as (file,):
        file.write(b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_it_is_on_the_disk_before_it_replaces_anything(paths, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda number: synced.append(paths[0].read_text()))
    with replacing(*paths) as (first, _):
        first.write(b"new")
    assert synced == ["old", "old"]
    with replacing(*paths, sync=False):
        pass
    assert len(synced) == 2


def test_many_threads_may_write_the_same_file(tmp_path):
    path, start = tmp_path / "first", threading.Barrier(8)

    def write(number):
        start.wait()
        for _ in range(20):
            with replacing(path, sync=False, shared=True) as (file,):
                file.write(str(number).encode() * 5000)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    text = path.read_text()
    assert text in {str(number) * 5000 for number in range(8)}
    assert [found.name for found in tmp_path.iterdir()] == ["first"]
