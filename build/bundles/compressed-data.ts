/** Keeps the long list of the platform's operations compressed in the bundles that hold it. */
import { readFile } from "node:fs/promises";
import { brotliCompressSync } from "node:zlib";
import type { Plugin } from "esbuild";

export const compressedData: Plugin = {
  name: "compressed-data",
  setup(build) {
    build.onLoad({ filter: /[\\/]operations[\\/]operations[.]json$/ }, async ({ path }) => {
      const data = JSON.stringify(JSON.parse(await readFile(path, "utf8")));
      return {
        contents: `import { brotliDecompressSync } from "node:zlib";
          const bytes = Buffer.from("${brotliCompressSync(data).toString("base64")}", "base64");
          export default JSON.parse(brotliDecompressSync(bytes).toString("utf8"));`,
      };
    });
  },
};
