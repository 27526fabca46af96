#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Results in the browser: what the server gives, what it refuses, and that nothing brings it down.
source test/cli/support.bash

page=$ARTICULA_VIEWER
result=$work/result
call 0 run models/double-pendulum.yaml --until 2 -o "$result" --quiet

# results that are not there, or that are none
call 2 view "$work/nothing"
complains "$work/nothing: there is no such result; 'articula run MODEL -o $work/nothing' writes one"
mkdir "$work/empty"
call 2 view "$work/empty"
complains "there is no scene.arts in this directory"
printf 'ARTSCENE' > "$work/empty/scene.arts"
call 2 view "$work/empty"
complains "is not a scene file"
call 2 view
complains "a result is missing: articula view RESULT"
call 2 view "$result" --port 100000
complains "--port is 100000, expected a whole number up to 65535"

# models take other values of their parameters, results do not
call 2 view "$result" --set L=2 --html "$work/page.html"
complains "--set, --input and --functions are of model files, not of results"
call 2 view models/double-pendulum.yaml --set nix=2 --html "$work/page.html"
complains "there is no parameter 'nix'"
scene_with() {
  call 0 view models/plant/gear-motor.yaml --input voltage=12 --set "$1" --html "$work/page.html"
  grep -o 'x-articula-scene" [^<]*' "$work/page.html"
}
[ "$(scene_with radius=0.15)" = "$(scene_with radius=150mm)" ] || fail "the same radius gives another scene"
[ "$(scene_with radius=0.15)" != "$(scene_with radius=0.3)" ] || fail "the drum has its old radius"

# one page with everything inside
call 0 view "$result" --html "$work/page.html"
says "$work/page.html"
/usr/bin/python3 - "$work/page.html" "$result/scene.arts" "$result/certificate.json" << 'PYTHON' || fail "the page does not hold the result"
import base64, json, re, sys, zlib
page = open(sys.argv[1]).read()
scene = re.search(r'<script type="application/x-articula-scene" data-name="result">([^<]*)</script>', page).group(1)
assert zlib.decompress(base64.b64decode(scene), -15) == open(sys.argv[2], 'rb').read()
certificate = re.search(r'<script type="application/json" data-articula-certificate>(.*?)</script>', page, re.S).group(1)
own = json.load(open(sys.argv[3]))
assert own['results'].startswith('/') and own['results'] not in page, 'the page tells of folders'
assert json.loads(certificate) == own | {'results': 'result'}
assert page.startswith('<!doctype html><body>viewer<script') and page.endswith('</body>')
PYTHON
[ ! -e "$work/page.html.part" ] || fail "a part of the page is left over"

# the playground with a model inside, by name and text
printf '<!doctype html><body><!--articula-model-->play</body>' > "$work/play.html"
export ARTICULA_PLAYGROUND=$work/play.html
printf 'title: "<b>"\n' > "$work/a\"b<.yaml"
call 0 play "$work/a\"b<.yaml" --html "$work/own.html"
/usr/bin/python3 - "$work/own.html" "$work/a\"b<.yaml" << 'PYTHON' || fail "the playground does not hold the model"
import base64, html, re, sys, zlib
name, text = re.fullmatch(r'<!doctype html><body><script type="application/x-articula-model" data-name="([^"<]*)">([^<]*)</script>\nplay</body>', open(sys.argv[1]).read()).groups()
assert html.unescape(name) == sys.argv[2].split('/')[-1] and zlib.decompress(base64.b64decode(text), -15) == open(sys.argv[2], 'rb').read()
PYTHON
call 1 play "$work/nothing.yaml" --html "$work/none.html"
complains "nothing.yaml: cannot open"
[ ! -e "$work/none.html" ] || fail "a page is left over"

# begin_quietly: what earlier calls printed is gone before a server starts in the background
begin_quietly() {
  : > "$work/out"
  : > "$work/err"
}

# the server
begin_quietly
"$ARTICULA" view "$result" "$result" --no-browser > "$work/out" 2> "$work/err" < /dev/null &
server=$!
last="articula view"
for _ in $(seq 400); do grep -q http "$work/out" || [ -s "$work/err" ] && break; sleep 0.05; done
if grep -q "without libmicrohttpd" "$work/err"; then
  finish
  exit 0
fi
address=$(grep -Eo 'http://127.0.0.1:[0-9]+/[0-9a-f]{32}' "$work/out") || fail "view prints no address"

/usr/bin/python3 test/cli/view_client.py "$address" "$result" "$server" || fail "the server does not do what it should"

kill -INT "$server"
wait "$server"
[ $? -eq 0 ] || fail "view does not end cleanly on Ctrl-C"
silent err

# the browser's command line, which other users can read, leads to the page once and does not hold its secret
mkdir "$work/bin"
printf '#!/bin/sh\nprintf "%%s" "$1" > "%s/opened"\n' "$work" > "$work/bin/xdg-open"
chmod +x "$work/bin/xdg-open"
begin_quietly
DISPLAY=:99 PATH=$work/bin:$PATH "$ARTICULA" view "$result" > "$work/out" 2> "$work/err" < /dev/null &
server=$!
for _ in $(seq 400); do [ -s "$work/opened" ] && grep -q http "$work/out" && break; sleep 0.05; done
address=$(grep -Eo 'http://127.0.0.1:[0-9]+/[0-9a-f]{32}/' "$work/out")
/usr/bin/python3 - "$address" "$(cat "$work/opened")" << 'PYTHON' || fail "the browser is not let in once"
import sys, urllib.error, urllib.request
address, once = sys.argv[1:]
assert address.rsplit("/", 2)[1] not in once and once.startswith(address.rsplit("/", 2)[0]), (address, once)
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
with opener.open(once) as answer:
    assert answer.url == address and answer.status == 200, answer.url
try:
    opener.open(once)
    assert False, "a second time"
except urllib.error.HTTPError as error:
    assert error.code == 403, error
PYTHON
kill -INT "$server"
wait "$server"

# a model before any run: its joints are moved, wrong wishes leave it where it was
begin_quietly
"$ARTICULA" view models/loops/four-bar.yaml --no-browser > "$work/out" 2> "$work/err" < /dev/null &
server=$!
for _ in $(seq 400); do grep -q http "$work/out" && break; sleep 0.05; done
address=$(grep -Eo 'http://127.0.0.1:[0-9]+/[0-9a-f]{32}' "$work/out") || fail "view of a model prints no address"
/usr/bin/python3 - "$address" << 'PYTHON' || fail "the joints of a model are not moved"
import json, math, struct, sys, urllib.error, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
get = lambda path: opener.open(sys.argv[1] + "/api/run/0/" + path).read()
header = json.loads(get("header"))
(crank,) = json.loads(get("joints"))
assert crank["unit"] == "rad", crank
start = get(f"pose?q={crank['value']!r}")
assert len(start) == 28 * len(header["bodies"])
moved = get(f"pose?q={crank['value'] + 1!r}")
assert max(abs(a - b) for a, b in zip(struct.unpack(f"<{len(start) // 4}f", start), struct.unpack(f"<{len(moved) // 4}f", moved))) > 0.05
for wish in ["", "?q=", "?q=nan", "?q=1e9", "?q=1,2", "?q=0x"]:
    try:
        get("pose" + wish)
        assert False, wish
    except urllib.error.HTTPError as error:
        assert error.code == 409, (wish, error)
unpack = lambda text: struct.unpack(f"<{len(text) // 4}f", text)
back = unpack(get(f"pose?q={crank['value']!r}"))
assert all(abs(a - b) < 1e-5 for a, b in zip(unpack(start), back))

# pulled by its tip, the crank turns below a ray; the other bars follow, and so does the coordinate
def place(poses, body, x, y):
    px, py, _, w, _, _, k = poses[7 * body:7 * body + 7]
    return px + (w * w - k * k) * x - 2 * w * k * y, py + (w * w - k * k) * y + 2 * w * k * x
tip = 0.2 * math.sin(0.3), 0.2 * math.cos(0.3)
answer = get(f"pull?ray=0,0,0.2,0,{tip[0]},{tip[1]},5,0,0,-2")
angle, poses = struct.unpack("<d", answer[:8])[0], unpack(answer[8:])
for body in 0, 1:
    assert math.dist(place(poses, body, 0, 0.2), tip) < 1e-6, (body, place(poses, body, 0, 0.2), tip)
assert abs(angle - crank["value"]) > 0.1 and math.dist(place(poses, 1, 0.6, 0.2), place(poses, 2, 0.6, 0.2)) < 1e-6
# where it cannot come it comes as near as it can: the upright crank is nearest to what is above it
poses = unpack(get("pull?ray=0,0,0.2,0,0,3,0,0,0,1")[8:])
assert math.dist(place(poses, 0, 0, 0.2), (0, 0.2)) < 1e-2, poses
for wish in ["", "?ray=", "?ray=0,0,0,0,0,0,0,0,0,0", "?ray=9,0,0,0,0,0,0,0,0,1", "?ray=-1,0,0,0,0,0,0,0,0,1", "?ray=0.5,0,0,0,0,0,0,0,0,1",
             "?ray=nan,0,0,0,0,0,0,0,0,1", "?ray=0,0,0,0,0,0,0,0,0,1,2"]:
    try:
        get("pull" + wish)
        assert False, wish
    except urllib.error.HTTPError as error:
        assert error.code == 409, (wish, error)
assert all(abs(a - b) < 1e-6 for a, b in zip(unpack(start), unpack(get("pose?q=start"))))
PYTHON
kill -INT "$server"
wait "$server"
[ $? -eq 0 ] || fail "view of a model does not end cleanly on Ctrl-C"

# a run that is shown while it computes, and that ends by itself when it is interrupted
begin_quietly
"$ARTICULA" run models/double-pendulum.yaml --until 4000 --interval 0.01 -o "$work/live" --view --no-browser \
  > "$work/out" 2> "$work/err" < /dev/null &
run=$!
for _ in $(seq 400); do grep -q http "$work/out" && break; sleep 0.05; done
address=$(grep -Eo 'http://127.0.0.1:[0-9]+/[0-9a-f]{32}' "$work/out") || fail "run --view prints no address"
/usr/bin/python3 test/cli/view_client.py "$address" --live || fail "the run is not shown while it computes"
kill -INT "$run"
wait "$run"
[ $? -eq 1 ] || fail "an interrupted run does not end with status 1"
call 2 run models/double-pendulum.yaml --view --realtime
complains "a run in real time writes no scene and cannot be viewed"

finish
