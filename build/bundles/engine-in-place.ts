/**
 * Puts the JavaScript of node-llama-cpp into the runner's bundle: loading it as hundreds of files takes most of the
 * runner's start. Each file keeps its place relative to the package's other files, which lie in dist/engine as far as they
 * are read: its manifest, what it knows of its source, and the script that tests its binary.
 */
import { cp, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import type { BuildOptions, Plugin } from "esbuild";
import { root } from "../root.ts";

const engine = join(root, "node_modules/node-llama-cpp");
const copy = join(root, "dist/engine");

/** Imports that stay outside the bundle: native code, and modules that only other programs have. */
export const engineExternals = ["@node-llama-cpp/*", "@reflink/*", "electron"];

/** @param folder of the copied files, seen from the bundle */
export const engineInPlace = (folder: string): Plugin => ({
  name: "engine-in-place",
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]node-llama-cpp[\\/]dist[\\/].*[.]js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      // Seen from the package, wherever that really lies.
      const inPackage = path.slice(path.lastIndexOf("node-llama-cpp") + "node-llama-cpp/".length);
      const file = JSON.stringify(folder + inPackage.split(sep).join("/"));
      return { contents: text.replaceAll("import.meta.url", `new URL(${file}, import.meta.url).href`), loader: "js" };
    });
  },
});

const script = "dist/bindings/utils/testBindingBinary";

/** The engine forks this file, to see whether its binary fits the system. */
export const engineTestScript: BuildOptions = {
  entryPoints: { [`engine/${script}`]: `node_modules/node-llama-cpp/${script}.js` },
  plugins: [engineInPlace("../../../")],
};

export const copyEngineFiles = () =>
  Promise.all(
    ["package.json", "llama/package.json", "llama/binariesGithubRelease.json", "llama/llama.cpp.info.json"].map(
      (file) => cp(join(engine, file), join(copy, file)),
    ),
  );
