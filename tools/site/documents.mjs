// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The documents as pages of the site: node tools/site/documents.mjs build/site/pages. Links, pictures and tables work, sample
// models lead to the playground, machines of live pages stand in the guide, and headings can be searched.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { deflateRawSync } from "node:zlib";
import { dirname, join, normalize, relative } from "node:path";
import { scoreboard } from "./scoreboard.mjs";

const fromViewer = createRequire(join(process.cwd(), "viewer/package.json"));
const MarkdownIt = fromViewer("markdown-it");
const { buildSync } = fromViewer("esbuild");
const [out] = process.argv.slice(2);

// pages of the interfaces, made from headers and docstrings, are next to the site as api/...
const MADE = join(out, "..");
execFileSync("python3", ["tools/site/api.py", MADE], { stdio: "inherit" });
const at = (path) => (path.startsWith("api/") ? join(MADE, path) : path);

const SECTIONS = [
  ["Start", ["README.md", "doc/tour.md", "CHANGELOG.md", "CONTRIBUTING.md"]],
  ["Tutorials", listed("doc/guide/tutorials")],
  ["Coming from", listed("doc/guide/coming-from")],
  ["Guide", listed("doc/guide")],
  ["Reference", listed("doc/reference")],
  ["Model file", listed("doc/reference/model")],
  ["Elements", listed("doc/reference/elements")],
  ["C interface", listed("api/c")],
  ["Python interface", listed("api/python")],
  ...["theory", "reports", "decisions"].map((name) => [name[0].toUpperCase() + name.slice(1), listed(`doc/${name}`)]),
];
const PAGES = SECTIONS.flatMap(([, files]) => files);

// the first one of a folder is its README; those that it links follow in its order
function listed(folder) {
  const linked = [...readFileSync(at(`${folder}/README.md`), "utf8").matchAll(/\]\(([\w-]+\.md)/g)].map(([, name]) => name);
  const place = (name) => (name === "README.md" ? -1 : linked.includes(name) ? linked.indexOf(name) : linked.length);
  return readdirSync(at(folder)).filter((name) => name.endsWith(".md")).sort((a, b) => place(a) - place(b) || a.localeCompare(b)).map((name) => `${folder}/${name}`);
}

const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const pageOf = (file) => (file === "README.md" ? "about.html" : file.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html"));
const upTo = (page) => "../".repeat(page.split("/").length - 1);
const source = (file) => readFileSync(at(file), "utf8").replace(/<!--[\s\S]*?-->\n?/g, "");
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

// a whole model that needs no other files opens in the playground, which has it in the address (viewer/src/play/share.ts)
function tryLink({ info, content }, page) {
  if (info !== "yaml" || !content.startsWith("articula: 1\n") || /^include:|\b(?:file|function): /m.test(content) || !/^joints:|^blocks:/m.test(content)) return "";
  return `<p><a class="try" href="${upTo(page)}play.html#model=${deflateRawSync(`example.yaml\n${content}`).toString("base64url")}">Open in the playground</a></p>`;
}

// where a link of a document leads on the site; null: nowhere there
function target(file, page, href) {
  if (/^[a-z]+:/.test(href)) return href;
  const [path, anchor = ""] = href.split("#");
  const hash = anchor ? `#${anchor}` : "";
  const to = path ? normalize(join(dirname(file), path)).replace(/\/$/, "") : file;
  const header = /^include\/articula\/(\w+)\.h$/.exec(to)?.[1];
  if (header && !page.startsWith("api/")) return relative(dirname(page), header === "articula" ? "api/c/index.html" : `api/c/${header}.html`);
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

function render(file, page, text = source(file)) {
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
    md.renderer.rules[rule] = (tokens, i, ...rest) => linkModels(own(tokens, i, ...rest), page) + (rule === "fence" ? tryLink(tokens[i], page) : "");
  }
  md.renderer.rules.table_open = () => '<div class="table"><table>';
  md.renderer.rules.table_close = () => "</table></div>";
  const html = md.render(text, env);
  return { html, headings: env.headings, md };
}

//---- around it -----------------------------------------------------------------------------------------

const STYLE = readFileSync("tools/site/site.css", "utf8");

function navigation(page) {
  const up = upTo(page);
  const entry = (file) => `<li><a href="${up}${pageOf(file)}"${pageOf(file) === page ? ' aria-current="page"' : ""}>${escape(titleOf(file))}</a></li>`;
  const part = ([name, files]) => `<details${files.some((file) => pageOf(file) === page) || (name === "Guide" && page === "about.html") ? " open" : ""}><summary>${name}</summary><ul>${files.map(entry).join("")}</ul></details>`;
  return `<nav aria-label="Documents"><form action="${up}search.html"><input name="q" type="search" placeholder="Search" aria-label="Search the documents" /></form>
<p><a href="${up}index.html">Articula</a> <a href="${up}gallery.html">Gallery</a> <a class="play" href="${up}play.html">Playground</a> <a href="${up}scoreboard.html">Scoreboard</a></p>
<input id="menu" type="checkbox" /><label for="menu">All pages</label><div class="pages">${SECTIONS.map(part).join("\n")}</div></nav>`;
}

// a link between two joints
const ICON = "data:image/svg+xml," + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M8 24 24 8" stroke="#1864ab" stroke-width="6" stroke-linecap="round"/><circle cx="8" cy="24" r="6" fill="#e8590c"/><circle cx="24" cy="8" r="6" fill="#e8590c"/></svg>');

// pages may ask for their own pictures and frames; 'self' means nothing to pages from disk
function write(page, title, body, script = "") {
  const scripts = script ? `'sha256-${createHash("sha256").update(script).digest("base64")}'` : "'none'";
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file: data:; frame-src 'self' file:; script-src ${scripts}`;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8" /><meta http-equiv="Content-Security-Policy" content="${policy}" />
<meta name="viewport" content="width=device-width, initial-scale=1" /><meta name="color-scheme" content="light dark" /><meta name="description" content="Articula: multibody dynamics in C, Python, FMI, GPU and the browser. Exact closed loops, independent methods that check each other." /><link rel="icon" href="${ICON}" />
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

// verdicts of its tables are coloured
function board() {
  const { text, pictures } = scoreboard();
  const { html } = render("doc/reports/README.md", "scoreboard.html", text);
  const body = html
    .replace(/<p>@@(\w+)@@<\/p>/g, (_, name) => pictures[name])
    .replace(/<td>((?:missed|slower)\b[^<]*)<\/td>/g, '<td class="missed">$1</td>')
    .replace(/<td>(faster, but missed\b[^<]*)<\/td>/g, '<td class="near">$1</td>')
    .replace(/<td>((?:met|faster)\b[^<]*)<\/td>/g, '<td class="met">$1</td>');
  write("scoreboard.html", "Scoreboard", body);
}

//---- landing page and gallery --------------------------------------------------------------------------

const GALLERY = JSON.parse(readFileSync("tools/site/gallery.json", "utf8")).map((entry) => {
  const name = entry.model.replaceAll("/", "-").replace(/\.yaml$/, "");
  const title = /^title: *(.*)$/m.exec(readFileSync(entry.model, "utf8"))[1].replace(/^"(.*)"$/, "$1");
  return { ...entry, name, title, live: `live/${name}.html#embed=1`, picture: `gallery/${name}.png` };
});

function card({ name, title, says, picture }) {
  return `<a class="card" href="gallery/${name}.html"><img src="${picture}" loading="lazy" alt="" width="240" /><b>${escape(title)}</b><span>${escape(says)}</span></a>`;
}

function gallery() {
  write("gallery.html", "Gallery", `<h1>Gallery: ${GALLERY.length} live machines</h1>
<p>Each page holds the machine's own equations, compiled for the browser. Move a slider while it runs.</p><div class="cards">${GALLERY.map(card).join("\n")}</div>`);
  for (const { name, title, says, live, model } of GALLERY) {
    write(`gallery/${name}.html`, title, `<h1>${escape(title)}</h1><p>${escape(says)}</p>
<iframe class="stage" title="${escape(title)}, live" src="../${live}"></iframe>
<p><a class="play" href="../play.html#example=${model}">Edit in the playground</a> <a href="../${live.split("#")[0]}">Whole page with plots and certificate</a></p>
<h2>On your own page</h2><pre><code>${escape(`<iframe src="${live}" width="640" height="480"></iframe>`)}</code></pre>
<p>The file <code>${live.split("#")[0]}</code> stands alone: copy it. It is made by <code>articula export ${model} --live FILE</code>.</p>`);
  }
}

// what the landing page does with files that are dropped on it
const LANDING = buildSync({ entryPoints: ["viewer/src/play/landing.ts"], bundle: true, minify: true, write: false, format: "iife", target: "es2022" }).outputFiles[0].text.trim();

// a sentence, a machine that moves, three figures with their proofs
function landing() {
  const [hero] = GALLERY;
  const figures = [
    ["10", "independent methods agree on one model", "scoreboard.html"],
    ["118 of 118", "planted faults are found by the tests", "doc/reports/planted-faults.html"],
    ["5", "published sources repeated, table by table", "doc/reports/seeds.html"],
  ];
  write("index.html", "Multibody dynamics", `<section class="hero"><h1>Articula</h1>
<p class="claim">Describe a machine once. Simulate it by independent methods that check each other, or turn it into code that stands alone.</p>
<p><a class="play" href="play.html">Open the playground</a> <a href="about.html">Install and first run</a> <a href="gallery.html">Gallery</a></p>
<p class="drop"><label><b>Drop your URDF here</b>, with its meshes or as a folder, or <span>choose files</span>.<input id="drop-files" type="file" multiple /></label> MJCF, SDF, Robotran, ADAMS too. Nothing is uploaded.</p>
<p id="drop-note" role="alert"></p>
<iframe class="stage" title="${escape(hero.title)}, live" src="${hero.live}"></iframe>
<div class="figures">${figures.map(([figure, words, page]) => `<a href="${page}"><b>${figure}</b><span>${words}</span></a>`).join("")}</div></section>
<h2>Machines to play with</h2><div class="cards">${GALLERY.slice(1, 7).map(card).join("\n")}</div><p><a href="gallery.html">All ${GALLERY.length} machines</a></p>`, LANDING);
}

function search(index) {
  const script = `const all=${JSON.stringify(index).replaceAll("<", "\\u003c")};
const list=document.querySelector("#found"),count=document.querySelector("#count"),box=document.querySelector("main input");
function show(){const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);list.replaceChildren();count.textContent="";if(!words.length)return;
const head=([,t,o])=>(t+" "+o).toLowerCase();
const hits=all.filter((e)=>{const s=head(e)+" "+e[3];return words.every((w)=>s.includes(w));});
const rank=(e)=>words.filter((w)=>e[1].toLowerCase().includes(w)).length*2+words.filter((w)=>e[2].toLowerCase().includes(w)).length;
hits.sort((a,b)=>rank(b)-rank(a));
count.textContent=hits.length?hits.length+(hits.length===1?" section":" sections")+(hits.length>100?", the first 100 of them":""):"No section has all these words. Try fewer, or a part of a word.";
for(const [href,text,of,body] of hits.slice(0,100)){const li=document.createElement("li"),a=document.createElement("a");a.href=href;a.textContent=text;li.append(a," – "+of);
const at=body.indexOf(words.find((w)=>body.includes(w)));if(at>=0){const p=document.createElement("p");p.textContent="… "+body.slice(Math.max(0,at-60),at+120)+" …";li.append(p);}list.append(li);}}
box.value=new URLSearchParams(location.search).get("q")??"";box.oninput=show;show();box.focus();`;
  write("search.html", "Search", '<h1>Search</h1><input type="search" aria-label="Words to search for" /><p id="count" role="status"></p><ul id="found"></ul>', script);
}

const index = [];
for (const file of PAGES) {
  const page = pageOf(file);
  const { html, headings } = render(file, page);
  anchors.set(file, new Set(headings.map(({ id }) => id)));
  const live = liveMachine(file, page);
  write(page, titleOf(file), html.replace("</h1>", () => `</h1>${live}`), live ? OPEN_FRAME : "");
  const sections = html.split(/(?=<h[1-6] )/).map((part) => part.replace(/<h[1-6].*?<\/h[1-6]>/s, "").replace(/<[^>]*>/g, " ").replace(/&amp;/g, "&").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/\s+/g, " ").trim().toLowerCase());
  const bodies = sections.slice(sections.length - headings.length);
  headings.forEach(({ id, text }, k) => index.push([`${page}#${id}`, text, titleOf(file), bodies[k]]));
}
board();
gallery();
landing();
search(index);
for (const [file, to, anchor] of wanted) if (!anchors.get(to)?.has(anchor)) missing.push(`${file}: ${to}#${anchor}`);
if (missing.length > 0) throw new Error(`links that lead nowhere:\n  ${[...new Set(missing)].join("\n  ")}`);
console.log(`site: ${PAGES.length} documents, ${index.length} headings, ${out}/index.html`);
