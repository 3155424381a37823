/**
 * Puts the JavaScript of node-llama-cpp into the runner's bundle: loading it as hundreds of files takes most of the
 * runner's start. Each file keeps its URL in the package, so that it still finds what lies beside it (the native
 * engine, its source, the script that tests it).
 */
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Plugin } from "esbuild";
import { root } from "./root.ts";

const engine = join(root, "node_modules/node-llama-cpp/dist");

/** Imports that stay outside the bundle: native code, and modules that only other programs have. */
export const engineExternals = ["@node-llama-cpp/*", "@reflink/*", "electron"];

export const engineInPlace: Plugin = {
  name: "engine-in-place",
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]node-llama-cpp[\\/]dist[\\/].*[.]js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const file = JSON.stringify(`./${relative(engine, path).split(sep).join("/")}`);
      const address = `new URL(${file}, import.meta.resolve("node-llama-cpp")).href`;
      return { contents: text.replaceAll("import.meta.url", address), loader: "js" };
    });
  },
};
