# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# A client of `articula view` that is at times polite and at times not:
#   view_client.py ADDRESS RESULT PID   all of it
#   view_client.py ADDRESS --live       a run that grows
import json
import os
import socket
import struct
import sys
import time
import urllib.error
import urllib.request

address = sys.argv[1]
open_address, secret = address.rsplit("/", 1)
port = int(open_address.rsplit(":", 1)[1])
no_proxy = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def get(path, **headers):
    request = urllib.request.Request(address + path, headers=headers)
    with no_proxy.open(request, timeout=20) as answer:
        return answer.read()


def status(path, method="GET", start=address, **headers):
    request = urllib.request.Request(start + path, headers=headers, method=method)
    try:
        with no_proxy.open(request, timeout=20) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def raw(data, timeout=10):
    """What comes back for these bytes, until the other side closes or falls silent."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        connection.settimeout(timeout)
        answer = b""
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            while chunk := connection.recv(65536):
                answer += chunk
        except OSError:
            pass
        return answer


def open_slow():
    """A connection with a request that does not end."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=5)
    connection.sendall(b"GET / HTTP/1.1\r\nX: ")
    return connection


def watch_live():
    """News of a run reach its listener, whoever else takes connections meanwhile."""
    with no_proxy.open(address + "/api/run/0/live", timeout=20) as events:
        frames, slow = [], []
        while len(frames) < 4:
            if len(frames) == 2 and not slow:
                slow = [open_slow() for _ in range(100)]
            line = events.readline()
            if line.startswith(b"data:"):
                news = json.loads(line[5:])
                assert news["live"] is True, news
                frames.append(news["frames"])
    assert frames == sorted(set(frames)), frames
    assert json.loads(get("/api/runs"))[0]["live"] is True
    times = get("/api/run/0/times")
    assert len(times) >= 8 * frames[-1]
    assert json.loads(get("/api/run/0/certificate")) is None


def check_answers(result):
    file = open(os.path.join(result, "scene.arts"), "rb").read()
    length = struct.unpack("<I", file[12:16])[0]
    runs = json.loads(get("/api/runs"))
    assert [r["id"] for r in runs] == [0, 1] and runs[0]["name"] == "result" and not runs[0]["live"]
    header = json.loads(get("/api/run/0/header"))
    assert header == json.loads(file[16:16 + length])
    assert get("/").startswith(b"<!doctype html>")

    rows = [line.split(",") for line in open(os.path.join(result, "results.csv")).read().split("\n")[1:-1]]
    n = len(rows)
    assert runs[0]["frames"] == n
    times = struct.unpack(f"<{n}d", get("/api/run/0/times"))
    assert list(times) == [float(row[0]) for row in rows]
    for channel in range(len(header["channels"])):
        column = struct.unpack(f"<{n}d", get(f"/api/run/0/channel/{channel}"))
        assert list(column) == [float(row[channel + 1]) for row in rows]

    bodies, vectors = len(header["bodies"]), len(header["vectors"])
    size = 8 + (4 * (13 * bodies + 6 * vectors) + 7) // 8 * 8
    whole = get("/api/run/1/frames")
    assert len(whole) == n * size
    assert get("/api/run/1/frames?from=3&to=5") == whole[3 * size:5 * size]
    every = get("/api/run/1/frames?from=1&to=10&every=4")
    assert every == whole[size:2 * size] + whole[5 * size:6 * size] + whole[9 * size:10 * size]
    assert get(f"/api/run/0/frames?from={n - 1}&to={n + 1000}") == whole[-size:]
    assert get(f"/api/run/0/frames?from={n + 5}&to={n + 9}") == b""
    assert json.loads(get("/api/run/0/certificate"))["status"] == "finished"
    assert b'"live": false' in get("/api/run/0/live")


def check_refusals():
    for path in ["/api/run/2/header", "/api/run/-1/header", "/api/run/99999999999/header", "/api/run/0/channel/999",
                 "/api/run/0/channel/1/x", "/api/run/0/joints", "/api/run/0/pose?q=1", "/api/run/", "/api/run/0", "/etc/passwd", "/scene.arts", "/api", "",
                 "/api/run/0/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd"]:
        assert status(path) == 404, path
    for query in ["from=-1&to=2", "from=5&to=2", "from=x", "to=1e3", "every=0", "from=99999999999999999999"]:
        assert status("/api/run/0/frames?" + query) == 400, query
    for method in ["POST", "PUT", "DELETE", "OPTIONS"]:
        assert status("/", method) == 405, method

    # names of other hosts, as a page that has rebound its own would send them
    for host in ["example.org", f"example.org:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"localhost.example.org:{port}", ""]:
        assert status("/api/runs", Host=host) in (400, 403), host
    assert status("/api/runs", Host=f"localhost:{port}") == 200


def check_secret():
    """Whoever does not know the secret of the address gets nothing but the refusal."""
    assert len(secret) == 32 and len(set(secret)) > 4, secret
    other = "0" if secret[-1] != "0" else "1"
    for start in ["", "/" + secret[:-1], "/" + secret[:-1] + other, "/" + secret + "0", "/" + "0" * 32]:
        for path in ["/", "/index.html", "/api/runs", "/api/run/0/header", "/api/run/0/frames", "/api/run/0/live",
                     "/favicon.ico", "/?" + secret, "/api/runs?token=" + secret]:
            got = status(path, start=open_address + start)
            assert got == 403, (start, path, got)
    assert status("/") == 200 and status("/index.html") == 200


def is_shut(connection, seconds):
    connection.settimeout(seconds)
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True
    except OSError:
        return False


def check_slow():
    """Clients that hold connections without a whole request, and more than there is room for."""
    host = f"Host: 127.0.0.1:{port}\r\n".encode()
    slow = []
    for k in range(200):
        slow.append(open_slow())
        if k % 20 == 0:
            begin = time.monotonic()
            assert status("/api/runs") == 200 and time.monotonic() - begin < 4, k
    assert is_shut(slow[0], 5)

    # clients who know the secret and take no answer
    deaf = []
    for k in range(100):
        connection = socket.create_connection(("127.0.0.1", port), timeout=5)
        connection.sendall(f"GET /{secret}/api/run/0/frames HTTP/1.1\r\n".encode() + host + b"\r\n")
        deaf.append(connection)
    assert status("/api/runs") == 200

    # a head that comes letter by letter: never silent for long, and never done
    dripping = open_slow()
    begin = time.monotonic()
    while time.monotonic() - begin < 15 and not is_shut(dripping, 0.2):
        try:
            dripping.sendall(b"y")
        except OSError:
            break
    assert time.monotonic() - begin < 12, "a request that never ends is never ended"
    for connection in slow + deaf + [dripping]:
        connection.close()
    assert status("/api/runs") == 200


def check_malformed():
    host = f"Host: 127.0.0.1:{port}\r\n".encode()
    for data in [b"", b"\r\n\r\n", b"GET", b"GET / HTTP/9.9\r\n\r\n", b"\x00\xff" * 500, b"GET /" + b"a" * 100000,
                 b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 200000 + b"\r\n\r\n",
                 b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20000 + b"\r\n",
                 b"GET /" + secret.encode() + b"/api/run/0/frames?from=" + b"9" * 5000 + b" HTTP/1.1\r\n" + host + b"\r\n",
                 b"POST / HTTP/1.1\r\n" + host + b"Content-Length: 99999999999999999999\r\n\r\n",
                 b"POST / HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                 b"GET / HTTP/1.1\r\n" + host + b"Range: bytes=5-1,-,99999999999999-\r\n\r\n",
                 b"GET / HTTP/1.1\r\n" + host + host + b"\r\n"]:
        raw(data, 3)


def check_loopback(pid):
    """The server listens on 127.0.0.1 and nowhere else."""
    listening = []
    for name in ["tcp", "tcp6"]:
        for line in open(f"/proc/{pid}/net/{name}").read().split("\n")[1:-1]:
            local, state = line.split()[1], line.split()[3]
            if state == "0A" and int(local.split(":")[1], 16) == port:
                listening.append(local.split(":")[0])
    assert listening == ["0100007F"], listening


if sys.argv[2] == "--live":
    watch_live()
else:
    check_answers(sys.argv[2])
    check_refusals()
    check_secret()
    check_malformed()
    check_slow()
    check_loopback(sys.argv[3])
    check_answers(sys.argv[2])
