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
             "degrees of freedom", "energy.relative_error", "side, t = 0 s", "view, t = 1 s"]:
    assert text in page, text
assert page.count("<svg") == 8, page.count("<svg")
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
call 2 report "$work/nothing"
complains "there is no such result"
call 1 report "$result" -o "$work/no/such/page.html"
complains "No such file or directory"

call 0 export "$result" --glb "$work/x.glb"
says "$work/x.glb"
[ "$(head -c 4 "$work/x.glb")" = glTF ] || fail "export writes no glTF"
call 2 export "$result"
complains "nothing to write: name a file with --glb FILE"
call 2 export "$result" "$result" --glb "$work/x.glb"
complains "one result at a time"
call 2 export
complains "a result is missing: articula export RESULT"

# names are texts, not tags
sed 's/title: .*/title: "<b> \& co"/' models/pendulum.yaml > "$work/odd.yaml"
call 0 run "$work/odd.yaml" --until 0.1 -o "$work/odd" -q
call 0 report "$work/odd" -q
silent out
grep -q '<h1>&lt;b&gt; &amp; co</h1>' "$work/odd/report.html" || fail "the title is not escaped"

finish
