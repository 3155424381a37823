/** Puts the files of swagger-ui that its page loads into dist/swagger-ui; the package has each of them several times. */
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { root } from "../root.ts";
import { precompress } from "./precompress.ts";

/** Relative to the checkout. */
export const swaggerUiPackage = "node_modules/swagger-ui-dist/package.json";

const files = [
  "LICENSE",
  "NOTICE",
  "favicon-16x16.png",
  "favicon-32x32.png",
  "index.css",
  "swagger-ui.css",
  "swagger-ui-bundle.js",
  "swagger-ui-bundle.js.LICENSE.txt",
  "swagger-ui-standalone-preset.js",
  "swagger-ui-standalone-preset.js.LICENSE.txt",
];

/** The page's server finds them beside the bundle. */
export const swaggerUiInPlace: Plugin = {
  name: "swagger-ui-in-place",
  setup(build) {
    const namespace = "swagger-ui-folder";
    build.onLoad({ filter: /[\\/]node_modules[\\/]swagger-ui-express[\\/]index[.]js$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(
        "require('swagger-ui-dist/absolute-path')",
        `require('${namespace}').default`,
      ),
    }));
    build.onResolve({ filter: /^swagger-ui-folder$/ }, ({ path }) => ({ path, namespace }));
    build.onLoad({ filter: /.*/, namespace }, () => ({
      contents: `import { fileURLToPath } from "node:url";
        export default () => fileURLToPath(new URL("./swagger-ui/", import.meta.url));`,
    }));
  },
};

export async function copySwaggerUi(): Promise<void> {
  const output = join(root, "dist/swagger-ui");
  await rm(output, { recursive: true, force: true });
  await Promise.all(files.map((file) => cp(join(root, "node_modules/swagger-ui-dist", file), join(output, file))));
  await precompress(
    output,
    files.filter((file) => /swagger-ui.*\.(?:js|css)$/.test(file)),
  );
}
