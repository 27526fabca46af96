// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Builds the playground into one file, dist/play.html, around the viewer, which has been built before. tools/site/pack.mjs
// puts the program and the models inside.
import { readFileSync } from "node:fs";
import { defineConfig } from "vite";
import shared, { codeHash, onePage } from "./vite.config";

// the viewer's script runs in a frame that follows this page's policy
const script = /<script type="module">([\s\S]*?)<\/script>/.exec(readFileSync("dist/index.html", "utf8"));
if (!script) throw new Error("dist/index.html has no script; build the viewer first");

export default defineConfig({
  ...shared,
  plugins: [onePage("play.html", { scripts: [codeHash(script[1])], rules: ["worker-src blob:"] })],
  build: { ...shared.build, emptyOutDir: false, rollupOptions: { input: "play.html" } },
});
