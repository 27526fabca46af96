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
import urllib.error
import urllib.request

address = sys.argv[1]
port = int(address.rsplit(":", 1)[1])
no_proxy = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def get(path, **headers):
    request = urllib.request.Request(address + path, headers=headers)
    with no_proxy.open(request, timeout=20) as answer:
        return answer.read()


def status(path, method="GET", **headers):
    request = urllib.request.Request(address + path, headers=headers, method=method)
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


def watch_live():
    with no_proxy.open(address + "/api/run/0/live", timeout=20) as events:
        frames = []
        while len(frames) < 4:
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
                 "/api/run/0/channel/1/x", "/api/run/", "/api/run/0", "/etc/passwd", "/scene.arts", "/api",
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
    assert status("/favicon.ico") == 204


def check_malformed():
    host = f"Host: 127.0.0.1:{port}\r\n".encode()
    for data in [b"", b"\r\n\r\n", b"GET", b"GET / HTTP/9.9\r\n\r\n", b"\x00\xff" * 500, b"GET /" + b"a" * 100000,
                 b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 200000 + b"\r\n\r\n",
                 b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20000 + b"\r\n",
                 b"GET /api/run/0/frames?from=" + b"9" * 5000 + b" HTTP/1.1\r\n" + host + b"\r\n",
                 b"POST / HTTP/1.1\r\n" + host + b"Content-Length: 99999999999999999999\r\n\r\n",
                 b"POST / HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                 b"GET / HTTP/1.1\r\n" + host + b"Range: bytes=5-1,-,99999999999999-\r\n\r\n",
                 b"GET / HTTP/1.1\r\n" + host + host + b"\r\n"]:
        raw(data, 3)

    # requests that never end, more than there is room for
    slow = []
    for _ in range(80):
        try:
            connection = socket.create_connection(("127.0.0.1", port), timeout=5)
            connection.sendall(b"GET / HTTP/1.1\r\nX: ")
            slow.append(connection)
        except OSError:
            break
    for connection in slow:
        connection.close()
    # an answer that nobody takes
    deaf = socket.create_connection(("127.0.0.1", port), timeout=5)
    deaf.sendall(b"GET /api/run/0/frames HTTP/1.1\r\n" + host + b"\r\n")
    assert status("/api/runs") == 200
    deaf.close()


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
    check_malformed()
    check_loopback(sys.argv[3])
    check_answers(sys.argv[2])
