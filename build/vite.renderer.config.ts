/** Builds the console's page into dist/renderer; `npm run dev` serves it with reload and lets a running server answer the rest. */
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The application server that answers what the page asks while Vite serves the page itself. */
const server = process.env["HEARTH_APP_URL"] ?? "http://127.0.0.1:3080";
// The server refuses foreign origins, and to it the development server is one.
const target = { target: server, changeOrigin: true, headers: { origin: server } };

export default defineConfig({
  root: fileURLToPath(new URL("../renderer", import.meta.url)),
  base: "/console/",
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL("../dist/renderer", import.meta.url)),
    emptyOutDir: true,
    target: "es2023",
    chunkSizeWarningLimit: 700, // kB; what the first page may weigh has a test
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // In one chunk with what makes schemas, zod-without-eval.ts has run before any schema of another chunk is made.
          groups: [
            { name: "zod", test: /node_modules.zod.|zod-without-eval/, priority: 1 },
            { name: "initial", tags: ["$initial"] },
          ],
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: {
      "/console/api": target,
      // A page's address with a code or the token: the server answers with the cookie and sends the browser back here.
      "^/console/[^?]*\\?(.*&)?(code|token)=": target,
      "/api": target,
      "/avatars": target,
      "/swagger": target,
    },
  },
});
