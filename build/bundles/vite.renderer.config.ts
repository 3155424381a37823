/** Builds the console's page into dist/renderer; `npm run dev` serves it with reload and proxies the rest. */
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { noteBundledPackages } from "../package/bundled-packages.ts";
import { precompress } from "./precompress.ts";

/** The services that answer the page's requests while Vite serves the page. They refuse foreign origins, as Vite's is one. */
const at = (target: string) => ({ target, changeOrigin: true, headers: { origin: target } });
const app = at(process.env["HEARTH_APP_URL"] ?? "http://127.0.0.1:3080");
const ownConsole = at(new URL(process.env["HEARTH_CONSOLE_URL"] ?? "http://127.0.0.1:3082").origin);

const precompressFiles: Plugin = {
  name: "precompress-files",
  writeBundle: ({ dir = "" }, bundle) => precompress(dir, Object.keys(bundle)),
};

/** Of the page, and of its workers, which Vite bundles before it. */
const modules = new Set<string>();
const gatherModules = (): Plugin => ({
  name: "gather-modules",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === "chunk") for (const id of file.moduleIds) modules.add(id);
  },
});
const notePackages: Plugin = {
  name: "note-packages",
  writeBundle: () => noteBundledPackages("renderer", modules),
};

const characterNames = "decode-named-character-reference";

export default defineConfig({
  root: fileURLToPath(new URL("../../renderer", import.meta.url)),
  base: "/console/",
  plugins: [react(), gatherModules(), notePackages, precompressFiles],
  // Only a worker reads Markdown: it has no document, which this package uses in pages.
  resolve: { alias: { [characterNames]: fileURLToPath(import.meta.resolve(characterNames)) } },
  worker: { format: "es", plugins: () => [gatherModules()] },
  build: {
    outDir: fileURLToPath(new URL("../../dist/renderer", import.meta.url)),
    emptyOutDir: true,
    target: "es2023",
    chunkSizeWarningLimit: 700, // kB; a test limits the size of the first page
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // One chunk with the schema library, so that zod-without-eval.ts runs before any schema is created.
          groups: [
            { name: "zod", test: /node_modules.zod.|zod-without-eval/, priority: 1 },
            { name: "initial", tags: ["$initial"] },
            // What pages share, in few files: each costs a request and, in the page, as much time as kilobytes of code. The
            // contract is left out, since making schemas that a page does not need takes time, too.
            { name: "icons", test: /node_modules.lucide-react/, minShareCount: 2 },
            {
              name: "controls",
              test: /node_modules.(?:@mantine.(?:core|hooks)|react-number-format)/,
              minShareCount: 4,
            },
            { name: "table", test: /node_modules.@tanstack|renderer.ui.table/, minShareCount: 4 },
            { name: "shared", test: /renderer.(?:ui(?!.drop-zone)|api|i18n)/, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: {
      "/console/api": ownConsole,
      // An address with a code or the token: the server sets the cookie and redirects the browser back here.
      "^/console/[^?]*\\?(.*&)?(code|token)=": ownConsole,
      "/api": app,
      "/avatars": app,
      "/swagger": app,
    },
  },
});
