// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The documents as pages of the site: node tools/site/documents.mjs build/site/pages. Links, pictures and tables work, sample
// models lead to the playground, machines of live pages stand in the guide, and headings can be searched.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, normalize, relative } from "node:path";

const MarkdownIt = createRequire(join(process.cwd(), "viewer/package.json"))("markdown-it");
const [out] = process.argv.slice(2);

const SECTIONS = [
  ["Start", ["README.md", "doc/tour.md", "CHANGELOG.md", "CONTRIBUTING.md"]],
  ["Tutorials", listed("doc/guide/tutorials")],
  ["Coming from", listed("doc/guide/coming-from")],
  ...["guide", "reference", "theory", "reports", "decisions"].map((name) => [name[0].toUpperCase() + name.slice(1), listed(`doc/${name}`)]),
];
const PAGES = SECTIONS.flatMap(([, files]) => files);

// tables of these headings make the scoreboard: published problems, methods, peers
const BOARD = ["doc/reports/validation.md", "doc/reports/performance.md", "doc/reports/loops.md"];

// the first one of a folder is its README; those that it links follow in its order
function listed(folder) {
  const linked = [...readFileSync(`${folder}/README.md`, "utf8").matchAll(/\]\(([\w-]+\.md)/g)].map(([, name]) => name);
  const place = (name) => (name === "README.md" ? -1 : linked.includes(name) ? linked.indexOf(name) : linked.length);
  return readdirSync(folder).filter((name) => name.endsWith(".md")).sort((a, b) => place(a) - place(b) || a.localeCompare(b)).map((name) => `${folder}/${name}`);
}

const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const pageOf = (file) => (file === "README.md" ? "index.html" : file.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html"));
const upTo = (page) => "../".repeat(page.split("/").length - 1);
const source = (file) => readFileSync(file, "utf8").replace(/<!--[\s\S]*?-->\n?/g, "");
const titleOf = (file) => /^# (.*)$/m.exec(source(file))?.[1].replaceAll("`", "") ?? file;

// anchors as the documents have them in their links
function slug(text, used) {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(" ", "-");
  const count = used.get(plain) ?? 0;
  used.set(plain, count + 1);
  return count ? `${plain}-${count}` : plain;
}

//---- one document --------------------------------------------------------------------------------------

const missing = [];
const anchors = new Map();
const wanted = [];

const isSample = (path) => existsSync(path) && !path.includes("/parts/");
const MODEL = /models\/[\w./-]+\.yaml/g;
const linkModels = (html, page) => html.replace(MODEL, (path) => (isSample(path) ? `<a class="try" href="${upTo(page)}play.html#example=${path}">${path}</a>` : path));

// where a link of a document leads on the site; null: nowhere there
function target(file, page, href) {
  if (/^[a-z]+:/.test(href)) return href;
  const [path, anchor = ""] = href.split("#");
  const hash = anchor ? `#${anchor}` : "";
  const to = path ? normalize(join(dirname(file), path)).replace(/\/$/, "") : file;
  const known = PAGES.includes(to) ? to : PAGES.includes(`${to}/README.md`) ? `${to}/README.md` : null;
  if (known) {
    if (anchor) wanted.push([file, known, anchor]);
    return (path ? relative(dirname(page), pageOf(known)) : "") + hash;
  }
  if (isSample(to) && to.endsWith(".yaml") && to.startsWith("models/")) return `${upTo(page)}play.html#example=${to}`;
  if (!existsSync(to)) missing.push(`${file}: ${href}`);
  if (!existsSync(to) || statSync(to).isDirectory()) return null;
  mkdirSync(join(out, dirname(to)), { recursive: true });
  copyFileSync(to, join(out, to));
  return relative(dirname(page), to) + hash;
}

function render(file, page) {
  const md = new MarkdownIt({ html: false });
  const env = { headings: [], used: new Map() };
  const plain = (name) => md.renderer.rules[name] ?? ((tokens, i, options, _env, self) => self.renderToken(tokens, i, options));
  md.core.ruler.push("places", (state) => {
    for (const [i, token] of state.tokens.entries()) {
      if (token.type !== "heading_open") continue;
      const text = state.tokens[i + 1].children.filter((part) => part.content).map((part) => part.content).join("");
      const id = slug(text, env.used);
      token.attrSet("id", id);
      env.headings.push({ level: Number(token.tag[1]), id, text });
    }
  });
  md.renderer.rules.link_open = (tokens, i, options, e, self) => {
    const to = target(file, page, tokens[i].attrGet("href"));
    if (to === null) tokens[i].attrs = [];
    else tokens[i].attrSet("href", to);
    return self.renderToken(tokens, i, options);
  };
  const image = plain("image");
  md.renderer.rules.image = (tokens, i, ...rest) => {
    tokens[i].attrSet("src", target(file, page, tokens[i].attrGet("src")) ?? "");
    return image(tokens, i, ...rest);
  };
  for (const rule of ["code_inline", "fence", "code_block"]) {
    const own = plain(rule);
    md.renderer.rules[rule] = (...given) => linkModels(own(...given), page);
  }
  md.renderer.rules.table_open = () => '<div class="table"><table>';
  md.renderer.rules.table_close = () => "</table></div>";
  const html = md.render(source(file), env);
  anchors.set(file, new Set(env.headings.map(({ id }) => id)));
  return { html, headings: env.headings, md };
}

//---- around it -----------------------------------------------------------------------------------------

const STYLE = readFileSync("tools/site/site.css", "utf8");

function navigation(page) {
  const up = upTo(page);
  const entry = (file) => `<li><a href="${up}${pageOf(file)}"${pageOf(file) === page ? ' aria-current="page"' : ""}>${escape(titleOf(file))}</a></li>`;
  const part = ([name, files]) => `<details${files.some((file) => pageOf(file) === page) || (name === "Guide" && page === "index.html") ? " open" : ""}><summary>${name}</summary><ul>${files.map(entry).join("")}</ul></details>`;
  return `<nav aria-label="Documents"><form action="${up}search.html"><input name="q" type="search" placeholder="Search headings" aria-label="Search headings" /></form>
<p><a class="play" href="${up}play.html">Playground</a> <a href="${up}scoreboard.html">Scoreboard</a></p>${SECTIONS.map(part).join("\n")}</nav>`;
}

// pages may ask for their own pictures and frames; 'self' means nothing to pages from disk
function write(page, title, body, script = "") {
  const scripts = script ? `'sha256-${createHash("sha256").update(script).digest("base64")}'` : "'none'";
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file: data:; frame-src 'self' file:; script-src ${scripts}`;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8" /><meta http-equiv="Content-Security-Policy" content="${policy}" />
<meta name="viewport" content="width=device-width, initial-scale=1" /><meta name="color-scheme" content="light dark" /><link rel="icon" href="data:," />
<title>${escape(title)} – Articula</title><style>${STYLE}</style></head>
<body>${navigation(page)}<main>${body}</main>${script ? `<script>${script}</script>` : ""}</body></html>\n`;
  mkdirSync(dirname(join(out, page)), { recursive: true });
  writeFileSync(join(out, page), html);
}

// a frame is loaded when it is opened, and has its size then
const OPEN_FRAME = 'const d=document.querySelector("details.live");d.ontoggle=()=>{const f=d.querySelector("iframe");if(d.open&&!f.src)f.src=f.dataset.src;};';

function liveFrame(live, page, title) {
  if (!existsSync(join(out, live))) return "";
  return `<details class="live"><summary>${title}</summary><iframe title="${title}" data-src="${upTo(page)}${live}"></iframe></details>`;
}

// the machine that a page of the guide speaks of first, where a live page of it was made
function liveMachine(file, page) {
  if (file.startsWith("doc/guide/tutorials/")) return liveFrame(`live/tutorial-${file.split("/").pop().replace(/\.md$/, ".html")}`, page, "The machine of this tutorial, live");
  const model = file.startsWith("doc/guide/") ? (source(file).match(MODEL) ?? []).find(isSample) : undefined;
  const live = model && `live/${model.replaceAll("/", "-").replace(/\.yaml$/, ".html")}`;
  return live ? liveFrame(live, page, `The machine of this page, live: ${escape(model)}`) : "";
}

function scoreboard() {
  const parts = BOARD.map((file) => {
    const { html } = render(file, "scoreboard.html");
    const sections = html.split(/(?=<h[12])/).filter((section) => section.includes("<table"));
    const bare = sections.map((section) => /<h([12])[^>]*>.*?<\/h\1>/s.exec(section)[0].replace(/ id="[^"]*"/, "").replace(/h1>/g, "h2>").replace("<h1", "<h2") + [...section.matchAll(/<div class="table">.*?<\/div>/gs)].map(([table]) => table).join("\n"));
    return bare.join("\n") + `<p>From <a href="${pageOf(file)}">${escape(titleOf(file))}</a>, which says how it was measured.</p>`;
  });
  write("scoreboard.html", "Scoreboard", `<h1>Scoreboard: published problems, methods and peers</h1>${parts.join("\n")}`);
}

function search(index) {
  const script = `const all=${JSON.stringify(index).replaceAll("<", "\\u003c")};
const list=document.querySelector("#found"),box=document.querySelector("main input");
function show(){const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);list.replaceChildren();if(!words.length)return;
for(const [href,text,of] of all.filter(([,t,o])=>words.every((w)=>(t+" "+o).toLowerCase().includes(w))).slice(0,100)){const li=document.createElement("li"),a=document.createElement("a");a.href=href;a.textContent=text;li.append(a," – "+of);list.append(li);}}
box.value=new URLSearchParams(location.search).get("q")??"";box.oninput=show;show();box.focus();`;
  write("search.html", "Search", '<h1>Search headings</h1><input type="search" aria-label="Words of a heading" /><ul id="found"></ul>', script);
}

const index = [];
for (const file of PAGES) {
  const page = pageOf(file);
  const { html, headings } = render(file, page);
  const live = liveMachine(file, page);
  write(page, titleOf(file), html.replace("</h1>", () => `</h1>${live}`), live ? OPEN_FRAME : "");
  for (const { id, text } of headings) index.push([`${page}#${id}`, text, titleOf(file)]);
}
scoreboard();
search(index);
for (const [file, to, anchor] of wanted) if (!anchors.get(to)?.has(anchor)) missing.push(`${file}: ${to}#${anchor}`);
if (missing.length > 0) throw new Error(`links that lead nowhere:\n  ${[...new Set(missing)].join("\n  ")}`);
console.log(`site: ${PAGES.length} documents, ${index.length} headings, ${out}/index.html`);
