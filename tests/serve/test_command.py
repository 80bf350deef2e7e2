"""`fuda serve` as a command: what it says when it cannot start, and what it documents."""

import subprocess
import sys
from pathlib import Path

import pytest

from fuda.serve.faults import CLOSE, STATUS
from fuda.serve.store import MIGRATIONS, Store

ROOT = Path(__file__).parent.parent.parent


def fuda(*arguments: str, before: str = "pass") -> subprocess.CompletedProcess[str]:
    program = f"import sys; {before}; from fuda.cli import main; main(sys.argv[1:])"
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=120
    )


def test_without_the_packages_it_says_what_to_install(tmp_path: Path):
    hide = "sys.modules['fastapi'] = sys.modules['uvicorn'] = None"
    run = fuda("serve", "--data", str(tmp_path), before=hide)
    assert run.returncode == 2
    assert run.stderr == (
        "fuda: the table in the browser needs uvicorn: install the extra, "
        f"{sys.executable} -m pip install 'fuda-cards[web]'\n"
    )
    assert fuda("agents", before=hide).returncode == 0


def test_a_newer_database_and_a_used_port_get_one_sentence(tmp_path: Path, server):
    Store(tmp_path, (*MIGRATIONS, "CREATE TABLE more (x)")).close()
    run = fuda("serve", "--no-browser", "--port", "0", "--data", str(tmp_path))
    assert run.returncode == 2
    assert "was written by a newer fuda" in run.stderr
    assert run.stderr.count("\n") == 1
    run = fuda("serve", "--no-browser", "--port", str(server.port), "--data", str(tmp_path / "other"))
    assert run.returncode == 2
    assert "is in use: is fuda running there? Else give another --port" in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--port", "99999"), "a port is a whole number from 0 to 65535, not '99999'; give another --port"),
        (("--port", "-1"), "a port is a whole number from 0 to 65535, not '-1'; give another --port"),
        (("--port", "http"), "a port is a whole number from 0 to 65535, not 'http'; give another --port"),
        (
            ("--host", "nowhere.invalid"),
            "this machine has no address nowhere.invalid; give another --host, such as 127.0.0.1",
        ),
        (
            ("--host", "192.0.2.1"),  # an address for examples: no machine has it
            "this machine has no address 192.0.2.1; give another --host, such as 127.0.0.1",
        ),
        (("--host", ""), "the address to listen at is empty; give another --host, such as 127.0.0.1"),
        (
            ("--name", "http://cards.example.org"),
            "a --name is a host's name such as cards.example.org, without http:// and port, "
            "not 'http://cards.example.org'",
        ),
        *(
            (
                ("--public-url", url),
                "a --public-url is https:// and a host's name, such as https://cards.example.org, "
                f"not '{url}'",
            )
            for url in ("http://cards.example.org", "https://", "https://a/b", "https://a@b", "https://a:0")
        ),
        (
            ("--proxy", "172.30.0.0/24"),
            "a --proxy passes on what comes to a --public-url; give that, too",
        ),
        (
            ("--public-url", "https://cards.example.org", "--proxy", "caddy"),
            "a --proxy is an address or a network such as 172.30.0.0/24, not 'caddy'",
        ),
        (
            ("--data", "{folder}/file/inside"),
            "games cannot be kept in {folder}/file/inside: Not a directory; give another --data",
        ),
        (
            ("--data", "{folder}/shut"),
            "games cannot be kept in {folder}/shut: unable to open database file; give another --data",
        ),
    ],
)
def test_bad_input_gets_one_sentence(tmp_path: Path, arguments: tuple[str, ...], sentence: str):
    (tmp_path / "file").touch()
    (tmp_path / "shut" / "lock.sqlite").mkdir(parents=True)  # cannot be written, also by root
    given = [argument.format(folder=tmp_path) for argument in arguments]
    start = ["serve", "--no-browser", "--port", "0", "--data", str(tmp_path / "data")]
    run = fuda(*start, *given)
    assert (run.returncode, run.stderr) == (2, f"fuda: {sentence.format(folder=tmp_path)}\n")


def test_too_little_address_space_is_told_at_the_start(tmp_path: Path):
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1200 * 2**20,) * 2)"
    run = fuda("serve", "--no-browser", "--port", "0", "--data", str(tmp_path), before=limit)
    assert (run.returncode, run.stderr) == (
        2,
        "fuda: fuda serve needs 2 GiB of address space for each of its processes; here the limit is "
        "1200 MiB: raise it (ulimit -v)\n",
    )


@pytest.mark.parametrize("code", sorted({*STATUS, *CLOSE} - {"deleted"}))
def test_every_code_is_documented(code: str):
    assert f"`{code}`" in (ROOT / "docs" / "protocol.md").read_text()
