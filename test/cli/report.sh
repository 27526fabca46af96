#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Pages about results, and animations for other programs.
source test/cli/support.bash

result=$work/result
call 0 run models/loops/four-bar.yaml --until 1 -o "$result" --quiet
call 0 report "$result"
says "$result/report.html"
/usr/bin/python3 - "$result/report.html" << 'PYTHON' || fail "the report is not what it should be"
import base64, re, struct, sys, zlib
from html.parser import HTMLParser
page = open(sys.argv[1], encoding="utf-8").read()
for text in ["<h1>Four-bar linkage</h1>", "How to reproduce", "articula run models/loops/four-bar.yaml", "Certificate",
             "degrees of freedom", "error relative to it", "side<br>0.631 m", "t = 1 s", "Redundant constraints", "crankpin",
             "The run finished at 1 s, with 101 instants written.", "Its loops were closed to", "Least, greatest and last values"]:
    assert text in page, text
assert page.count("<svg") == 5, page.count("<svg")
# the machine fills its pictures and is not cut off; at instants it stands over its shadow
pictures = re.findall(r'<img alt="" width="(\d+)" height="(\d+)" src="data:image/png;base64,([^"]*)">', page)
assert len(pictures) == 7, len(pictures)
def read_png(text):
    data, at, chunks = base64.b64decode(text), 8, {}
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert zlib.crc32(name + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0], name
        chunks[name], at = body, at + 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *kind = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert kind == [8, 2, 0, 0, 0], kind
    rows, stride = zlib.decompress(chunks[b"IDAT"]), 1 + 3 * width
    assert len(rows) == height * stride and not any(rows[::stride])
    return width, height, [[rows[stride * y + 1 + 3 * x:stride * y + 4 + 3 * x] for x in range(width)] for y in range(height)]
for k, (wide, high, text) in enumerate(pictures):
    width, height, pixels = read_png(text)
    assert (width, height) == (2 * int(wide), 2 * int(high))
    dark = [(x, y) for y, row in enumerate(pixels) for x, pixel in enumerate(row) if min(pixel) < 0xb0]
    for c, size in enumerate((width, height)):
        assert 0 < min(p[c] for p in dark) and max(p[c] for p in dark) < size - 1, (k, c, size)
    spans = [max(p[c] for p in dark) - min(p[c] for p in dark) for c in (0, 1)]
    assert spans[0] > 0.4 * width or spans[1] > 0.4 * height, (k, width, height, spans)
    shadow = sum(pixel == b"\xc3\xc7\xcc" for row in pixels for pixel in row)
    assert shadow > 0.005 * width * height if k < 4 else shadow == 0, (k, shadow)
# nothing is fetched from anywhere
assert not re.search(r'(src|href)\s*=(?!"data:image/png;base64,)|url\(|<script|@import', page)
class Balanced(HTMLParser):
    open = []
    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "br", "img"): self.open.append(tag)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
parser = Balanced()
parser.feed(page)
assert parser.open == [], parser.open
PYTHON
call 0 report "$result" -o "$work/page.html" --json
holds "j['report'] == '$work/page.html'"
cmp -s "$work/page.html" "$result/report.html" || fail "two reports of one result differ"

# channels of the user's choice, and two methods side by side
call 0 report "$result" 'r*' -o "$work/some.html"
grep -q '<th>rocker</th>' "$work/some.html" && ! grep -q '<th>pivot_force</th>' "$work/some.html" ||
  fail "the report does not keep to the channels that were named"
call 2 report "$result" rockr -o "$work/some.html"
complains "there is no channel 'rockr' (did you mean 'rocker'?)"
call 0 run models/loops/four-bar.yaml --until 1 --method recursive -o "$work/recursive" --quiet
call 0 report "$result" --with "$work/recursive" -o "$work/both.html"
for text in 'Largest differences from result' '<th class="n">recursive</th>' '--method recursive'; do
  grep -qF -- "$text" "$work/both.html" || fail "the report on two results does not say '$text'"
done

# on paper: A4, no empty pages, nothing cut off
if command -v chromium > /dev/null && command -v pdftotext > /dev/null; then
  timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/chromium" \
    --no-pdf-header-footer --print-to-pdf="$work/page.pdf" "file://$result/report.html" > /dev/null 2>&1
  pdftotext -layout "$work/page.pdf" "$work/page.txt" || fail "the report does not print"
  /usr/bin/python3 - "$work/page.txt" << 'PYTHON' || fail "the printed report is not what it should be"
import sys
pages = open(sys.argv[1], encoding="utf-8").read().split("\f")[:-1]
assert 3 <= len(pages) <= 5, len(pages)
assert all(len(page.split()) > 20 for page in pages), [len(page.split()) for page in pages]
text = "".join("".join(pages).split())
for words in ["Four-bar linkage", "Model and study", "Pictures", "t = 1 s", "Channels", "time [s]", "pivot_force [N]", "Certificate",
              "How to reproduce", "--until 1 --interval 0.01 --tolerance 1e-11", "computing is the same each time."]:
    assert words.replace(" ", "") in text, words
PYTHON
  pdfinfo "$work/page.pdf" | has_line 'A4' || fail "the report is not printed on A4"
else
  echo "without chromium or pdftotext the printed report is not looked at"
fi

call 2 report "$work/nothing"
complains "there is no such result"
call 1 report "$result" -o "$work/no/such/page.html"
complains "No such file or directory"

call 0 export "$result" --glb "$work/x.glb"
says "$work/x.glb"
[ "$(head -c 4 "$work/x.glb")" = glTF ] || fail "export writes no glTF"
call 0 export "$result" --png "$work/x.png"
says "$work/x.png"
python3 - "$work/x.png" <<'PYTHON' || fail "the moving picture is no animated PNG"
import struct, sys, zlib
data = open(sys.argv[1], 'rb').read()
assert data[:8] == b'\x89PNG\r\n\x1a\n'
at, chunks = 8, []
while at < len(data):
    size, = struct.unpack('>I', data[at:at + 4])
    name, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
    assert struct.unpack('>I', data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(name + body)
    chunks.append((name, body))
    at += 12 + size
assert [name for name, _ in chunks[:4]] == [b'IHDR', b'acTL', b'fcTL', b'IDAT'] and chunks[-1][0] == b'IEND'
width, height = struct.unpack('>II', chunks[0][1][:8])
frames = [zlib.decompress(body[4 * (name == b"fdAT"):]) for name, body in chunks if name in (b"IDAT", b"fdAT")]
sizes = [struct.unpack(">IIII", body[4:20]) for name, body in chunks if name == b"fcTL"]
assert width == 480 and len(frames) == struct.unpack('>I', chunks[1][1][:4])[0] > 10
assert all(len(f) == h * (3 * w + 1) and x + w <= width and y + h <= height for f, (w, h, x, y) in zip(frames, sizes))
assert len(set(frames)) > 10
order = [struct.unpack('>I', body[:4])[0] for name, body in chunks if name in (b'fcTL', b'fdAT')]
assert order == list(range(len(order)))
PYTHON
call 2 export "$result" --png "$work/x.png" --glb "$work/x.glb"
complains "export writes one file"
call 2 export "$result"
complains "export writes one file"
call 2 export "$result" "$result" --glb "$work/x.glb"
complains "one result at a time"
call 2 export
complains "a result is missing: articula export RESULT"

# a scene that does not say how its springs are drawn, as files once were
call 0 run models/adams/spring-2.yaml --until 0.1 -o "$work/spring" -q
call 0 export "$work/spring" --glb "$work/new.glb"
LC_ALL=C sed -i 's/"glyph":/"other":/' "$work/spring/scene.arts"
call 0 export "$work/spring" --glb "$work/old.glb"
cmp "$work/new.glb" "$work/old.glb" || fail "springs of a scene without glyphs are not drawn"

# names are texts, not tags
sed 's/title: .*/title: "<b> \& co"/' models/pendulum.yaml > "$work/odd.yaml"
call 0 run "$work/odd.yaml" --until 0.1 -o "$work/odd" -q
call 0 report "$work/odd" -q
silent out
grep -q '<h1>&lt;b&gt; &amp; co</h1>' "$work/odd/report.html" || fail "the title is not escaped"

# curves of the size of rounding are not drawn unless they are asked for
cat > "$work/noise.yaml" << 'YAML'
articula: 1
bodies: {rod: {mass: 1, com: [0, 0, -1], inertia: [0.1, 0.1, 0.01]}}
joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}
initial: {pin: {angle: 1 rad}}
outputs: {angle: pin.angle, rate: "= 1*pin.rate", noise: "= 1e-17[m]*sin(pin.angle)", small: "= 1e-13*pin.rate", nothing: "= 0*pin.rate"}
study: {type: run, until: 1 s, interval: 0.1 s}
YAML
call 0 run "$work/noise.yaml" -o "$work/noise" --quiet
call 0 report "$work/noise" --quiet
[ "$(grep -c '<figure class="plot">' "$work/noise/report.html")" = 2 ] || fail "a pane shows rounding"
grep -q '<p class="note">2 of them are of the size of rounding and not drawn.</p>' "$work/noise/report.html" || fail "rounding is not told"
call 0 report "$work/noise" noise --quiet
[ "$(grep -c '<figure class="plot">' "$work/noise/report.html")" = 1 ] || fail "a channel that was asked for is not drawn"

finish
