"""A server that others can reach: the link, the cookie, the names, and what is answered without them."""

import http.client
import os
import re
import signal
import socket as sockets
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from fuda.serve.addresses import asker_of
from fuda.serve.config import Config
from fuda.serve.network import own_addresses
from fuda.serve.run import tell_others
from tests.serve.harness import PATIENCE, Owner, Server, open_socket
from tests.serve.test_tables import random_seats

KEY = "the-key_of-the-link"
LOBBY = "/api/v1/lobby"
PUBLIC = "https://cards.example.org"


@pytest.fixture(scope="module")
def shut(tmp_path_factory: pytest.TempPathFactory):
    running = Server(tmp_path_factory.mktemp("shut"), agent_workers=1, key=KEY, public_url=PUBLIC)
    yield running
    running.stop()


def ask(server: Server, path: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    with closing(connection):
        connection.request(method, path, headers={"Host": server.host} | headers)
        answer = connection.getresponse()
        answer.read()
    return answer


def cookie_of(server: Server) -> str:
    return (ask(server, f"/?token={KEY}").headers["set-cookie"] or "").partition(";")[0]


@pytest.mark.parametrize(
    "path",
    [
        "/", LOBBY, "/api/v1/tables", "/nothing", "/?token=", "/?token=x", f"/?token={KEY}x",
        f"{LOBBY}?token={KEY}", f"/?token={KEY}&token={KEY}", "/?token=%ff%00", "/i/x",
        f"/i/x?token={KEY[:-1]}", f"/?Token={KEY}",
    ],
)  # fmt: skip
def test_without_the_key_nothing_is_answered(shut: Server, path: str):
    answer = ask(shut, path)
    assert answer.status == 401
    assert "set-cookie" not in answer.headers


def test_a_change_and_a_socket_need_the_cookie_too(shut: Server):
    assert shut.request("POST", "/api/v1/owners", {})[0] == 401
    assert ask(shut, f"/?token={KEY}", "HEAD").status == 401
    name = cookie_of(shut).partition("=")[0]
    for cookie in (f"{name}=x", f"{name}={KEY}", f"other={cookie_of(shut)}", "=;=\x7f"):
        assert ask(shut, LOBBY, Cookie=cookie).status == 401
    with pytest.raises(InvalidStatus) as refused:
        open_socket(shut)
    assert refused.value.response.status_code == 403
    assert shut.request("POST", "/api/v1/owners", {}, headers={"Cookie": cookie_of(shut)})[0] == 200
    open_socket(shut, Cookie=f"a=b; {cookie_of(shut)}").close()


def test_who_is_shut_out_uses_up_nothing(new_server):
    server = new_server(agent_workers=1, key=KEY, request_rate=0.01, request_burst=3)
    for _ in range(10):
        assert ask(server, LOBBY).status == 401
    assert ask(server, LOBBY, Cookie=cookie_of(server)).status == 200


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("/?token={}", "/"),
        ("/?a=1&token={}&b=%26", "/?a=1&b=%26"),
        ("/index.html?token={}", "/index.html"),
        ("//evil.example/?token={}", "/evil.example/"),
        ("/\\evil.example/?token={}", "/evil.example/"),
        ("/%0d%0aX:%20y?token={}", "/%0D%0AX%3A%20y"),
    ],
)
def test_the_link_is_changed_into_a_cookie_and_dropped(shut: Server, asked: str, left: str):
    answer = ask(shut, asked.format(KEY))
    assert (answer.status, answer.headers["location"]) == (303, left)
    value, *flags = answer.headers["set-cookie"].split("; ")
    assert KEY not in value
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(flags)
    assert "Secure" not in flags  # there is no TLS under this name
    assert ask(shut, LOBBY, Cookie=value).status == 200


def test_behind_a_proxy_host_and_origin_are_public(shut: Server):
    public = {"Host": "cards.example.org"}
    answer = ask(shut, f"/?token={KEY}", **public)
    assert answer.headers["set-cookie"].endswith("; Secure")
    assert "wss://cards.example.org" in answer.headers["content-security-policy"]
    for origin, status in (
        (PUBLIC, 200),
        ("http://cards.example.org", 403),
        (shut.origin, 403),
        (f"{PUBLIC}:1", 403),
    ):
        headers = public | {"Origin": origin, "Cookie": cookie_of(shut)}
        assert shut.request("POST", "/api/v1/owners", {}, headers=headers)[0] == status
    assert shut.request("GET", LOBBY, headers={"Host": "evil.example", "Cookie": cookie_of(shut)})[0] == 403


@pytest.mark.parametrize(
    ("address", "public", "forwarded", "asker"),
    [
        ("172.30.0.9", PUBLIC, "198.51.100.7", "198.51.100.7"),
        ("::ffff:172.30.0.9", PUBLIC, "198.51.100.7", "198.51.100.7"),
        ("127.0.0.1", PUBLIC, "198.51.100.7", "198.51.100.7"),
        ("172.31.0.9", PUBLIC, "198.51.100.7", "172.31.0.9"),
        ("172.30.0.9", PUBLIC, None, "172.30.0.9"),
        ("172.30.0.9", "", "198.51.100.7", "172.30.0.9"),
        ("2001:db8::9", PUBLIC, "2001:db8:1:2:3::4, 2001:db8:5:6:7::8", "2001:db8:5:6::/64"),
        ("", PUBLIC, "198.51.100.7", ""),
    ],
)
def test_who_asks_is_told_by_the_servers_own_proxy_alone(
    tmp_path: Path, address: str, public: str, forwarded: str | None, asker: str
):
    config = Config(tmp_path, public_url=public, proxies=("172.30.0.0/24", "2001:db8::9/128"))
    headers = [] if forwarded is None else [(b"x-forwarded-for", forwarded.encode())]
    assert asker_of({"client": (address, 1), "headers": headers}, config) == asker


def test_behind_a_proxy_each_address_has_its_own_allowance(new_server):
    server = new_server(agent_workers=1, public_url=PUBLIC, request_rate=0.01, request_burst=2)

    def status(forwarded: str) -> int:
        return ask(server, LOBBY, **{"X-Forwarded-For": forwarded}).status

    assert [status("192.0.2.1") for _ in range(3)] == [200, 200, 429]
    assert status("192.0.2.1, 192.0.2.2") == 200
    assert status("192.0.2.9, 192.0.2.1") == 429  # what the asker says himself does not count
    assert [status(f"2001:db8::{number}") for number in range(1, 4)] == [200, 200, 429]  # one household


def test_a_whole_visit_with_the_cookie(new_server):
    server = new_server(agent_workers=1, key=KEY)
    cookie = {"Cookie": cookie_of(server)}
    status, answer = server.request("POST", "/api/v1/owners", {}, headers=cookie)
    assert status == 200
    body = {"game": "gongzhu", "seats": random_seats("gongzhu")}
    status, table = server.request("POST", "/api/v1/tables", body, answer["secret"], headers=cookie)
    assert (status, table["state"]) == (200, "playing")


def test_without_the_flags_all_is_as_it_was(server: Server, owner: Owner):
    answer = ask(server, f"/?token={KEY}")
    assert answer.status == 200
    assert "set-cookie" not in answer.headers


def serve_lan(data: Path, stdout: int = subprocess.PIPE) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "fuda",
        "serve",
        "--lan",
        "--no-browser",
        "--port",
        "0",
        "--data",
        str(data),
    ]
    return subprocess.Popen(command, stdout=stdout, stderr=subprocess.PIPE, text=True)


def test_lan_keeps_links_that_stay_and_says_that_all_can_be_read(tmp_path: Path):
    keys = set()
    for _ in range(2):
        running = serve_lan(tmp_path)
        assert running.stdout is not None
        told = [running.stdout.readline() for _ in range(4)]
        own = re.search(r"at http://127\.0\.0\.1:(\d+)/ ", told[0])
        assert own, told
        port = int(own[1])
        kept = tmp_path / "link.txt"
        assert kept.stat().st_mode & 0o777 == 0o600
        links = kept.read_text().splitlines()
        key = links[-1].partition("?token=")[2]
        keys.add(key)
        hosts = [f"{address}:{port}" for address in (*own_addresses(), "127.0.0.1")]
        assert links == [f"http://{host}/?token={key}" for host in hosts]
        assert all(f"http://{host}/" in told[1] for host in hosts[:-1])
        assert "not encrypted" in told[2]
        assert told[3] == f"fuda: the links with the key, which is for no log, are in {kept}\n"
        for host in hosts:  # the traffic stays on this machine
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            with closing(connection):
                connection.request("GET", f"/?token={key}", headers={"Host": host})
                assert connection.getresponse().status == 303
                connection.close()
                connection.request("GET", f"/nowhere?token={key}x", headers={"Host": host})
                assert connection.getresponse().status == 401
        with sockets.create_connection(("127.0.0.1", port)) as junk:
            junk.sendall(f"GET /?token={key} HTTP/9\r\n\r\n".encode())
            junk.recv(1000)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=PATIENCE)
        assert key not in "".join(told) + out + err  # what goes elsewhere than to a terminal is a log
    assert len(keys) == 1
    assert (tmp_path / "link.key").stat().st_mode & 0o777 == 0o600


def test_a_terminal_is_shown_the_link_and_its_code(tmp_path: Path):
    screen, terminal = os.openpty()
    running = serve_lan(tmp_path, terminal)
    os.close(terminal)
    shown = ""
    while "\u2580" not in shown:  # of the code
        shown += os.read(screen, 4096).decode(errors="replace")
    key = (tmp_path / "link.key").read_text().strip()
    assert f"at http://127.0.0.1:{shown.partition('127.0.0.1:')[2].partition('/')[0]}/?token={key} " in shown
    assert "for no log" not in shown
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=PATIENCE)
    os.close(screen)


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        ({}, ""),
        ({"host": "localhost"}, ""),
        (
            {"host": "0.0.0.0"},
            "answers under none of them except 127.0.0.1: for other devices start it with --lan",
        ),
        (
            {"host": "0.0.0.0", "names": ("cards.local",)},
            "whoever reaches cards.local is let in, and nothing is",
        ),
        (
            {"host": "192.0.2.7"},
            "whoever reaches 192.0.2.7 is let in, and nothing is encrypted: --lan lets in who",
        ),
        ({"host": "0.0.0.0", "key": KEY, "public_url": PUBLIC}, f"others open {PUBLIC}/?token={KEY}"),
    ],
)
def test_what_a_host_alone_does_is_told(tmp_path: Path, capsys, settings: dict, wanted: str):
    config = Config(tmp_path, **settings)
    tell_others(config, config.key)
    told = capsys.readouterr().out
    assert wanted in told
    assert bool(told) == bool(wanted)


def test_a_person_at_a_wrong_address_is_told_what_opens_it(server: Server):
    """As who opens the machine's address on a phone, when it was started with --host 0.0.0.0."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    with closing(connection):
        connection.request("GET", "/", headers={"Host": f"192.168.1.5:{server.port}"})
        answer = connection.getresponse()
        text = answer.read().decode()
    assert (answer.status, answer.headers["content-type"]) == (403, "text/plain; charset=utf-8")
    assert "fuda serve --lan" in text
