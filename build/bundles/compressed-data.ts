/** Keeps long texts compressed in the bundles that hold them: the platform's operations, and the guides. */
import { readFile } from "node:fs/promises";
import { brotliCompressSync } from "node:zlib";
import type { Plugin } from "esbuild";
import { readGuides } from "../../server/mcp/resources/guide-files.ts";

/** A module's source that exports the value of a JSON text. */
const moduleOf = (json: string, exported: (value: string) => string) =>
  `import { brotliDecompressSync } from "node:zlib";
  const bytes = Buffer.from("${brotliCompressSync(json).toString("base64")}", "base64");
  ${exported('JSON.parse(brotliDecompressSync(bytes).toString("utf8"))')};`;

export const compressedData: Plugin = {
  name: "compressed-data",
  setup(build) {
    build.onLoad({ filter: /[\\/]operations[\\/]operations[.]json$/ }, async ({ path }) => {
      const data = JSON.stringify(JSON.parse(await readFile(path, "utf8")));
      return { contents: moduleOf(data, (value) => `export default ${value}`) };
    });
    build.onLoad({ filter: /[\\/]mcp[\\/]resources[\\/]guide-files[.]ts$/ }, async () => {
      const guides = JSON.stringify(await readGuides());
      return { contents: moduleOf(guides, (value) => `export const readGuides = async () => ${value}`) };
    });
  },
};
