// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Builds the viewer into one file, dist/index.html, with script and style inside.
import { createHash } from "node:crypto";
import { defineConfig, type Plugin } from "vite";

interface Policy {
  /** Hashes of scripts in frames, which follow the policy too. */
  scripts: string[];
  rules: string[];
}

// The page may run its own script and nothing else, whatever results are put into it; it may ask the server
// that it came from. Modules of WebAssembly reach nothing but their own memory.
export const codeHash = (code: string): string => `'sha256-${createHash("sha256").update(code).digest("base64")}'`;

function policy(code: string, more: Policy): string {
  const rules = [
    "default-src 'none'",
    `script-src 'wasm-unsafe-eval' ${[codeHash(code), ...more.scripts].join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    ...more.rules,
  ];
  return `<meta http-equiv="Content-Security-Policy" content="${rules.join("; ")}" />`;
}

// put the only script and the only style sheet into the page, and drop their files
export function onePage(file: string, more: Policy): Plugin {
  return {
    name: "one-page",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle[file];
      if (page?.type !== "asset") throw new Error(`no ${file} in the bundle`);
      let html = String(page.source);
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === "chunk") {
          const code = part.code.replaceAll("</script", "<\\/script");
          html = html.replace(/<script type="module"[^>]*><\/script>\s*/, "");
          html = html.replace("</body>", () => `<script type="module">${code}</script>\n</body>`);
          html = html.replace("<meta charset=\"utf-8\" />", (charset) => `${charset}\n    ${policy(code, more)}`);
          delete bundle[name];
        } else if (name.endsWith(".css")) {
          html = html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${String(part.source)}</style>`);
          delete bundle[name];
        }
      }
      page.source = html;
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [onePage("index.html", { scripts: [], rules: ["connect-src 'self'"] })],
  build: {
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 1 << 20,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
  },
});
