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
import re, sys
from html.parser import HTMLParser
page = open(sys.argv[1], encoding="utf-8").read()
for text in ["<h1>Four-bar linkage</h1>", "How to reproduce", "articula run models/loops/four-bar.yaml", "Certificate",
             "degrees of freedom", "error relative to it", "side<br>0.631 m", "t = 1 s", "Redundant constraints", "crankpin",
             "The run finished at 1 s, with 101 instants written.", "Its loops were closed to", "Least, greatest and last values"]:
    assert text in page, text
assert page.count("<svg") == 12, page.count("<svg")
# the machine fills its pictures and is not cut off
pictures = re.findall(r'viewBox="0 0 (\d+) (\d+)"[^>]*currentColor[^>]*>(.*?)</svg>', page, re.S)
assert len(pictures) == 7, len(pictures)
for width, height, paths in pictures:
    at = [[float(x) for x in xy] for xy in re.findall(r'[ML](-?[\d.]+) (-?[\d.]+)', paths)]
    for k, size in enumerate((int(width), int(height))):
        assert 0 <= min(p[k] for p in at) and max(p[k] for p in at) <= size, (k, size)
    spans = [max(p[k] for p in at) - min(p[k] for p in at) for k in (0, 1)]
    assert spans[0] > 0.4 * int(width) or spans[1] > 0.4 * int(height), (width, height, spans)
# nothing is fetched from anywhere
assert not re.search(r'(src|href)\s*=|url\(|<script|@import', page)
class Balanced(HTMLParser):
    open = []
    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "br"): self.open.append(tag)
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
  pdfinfo "$work/page.pdf" | grep -q 'A4' || fail "the report is not printed on A4"
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

finish
