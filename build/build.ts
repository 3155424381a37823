/** Builds the named parts into dist/: `node build/build.ts node renderer`; without names, all parts. */
import { join } from "node:path";
import { bundleNode } from "./bundles/bundle-node.ts";
import { root } from "./root.ts";
import { writeApiDocs } from "./docs/write-api-docs.ts";
import { writeKitTypes } from "./bundles/write-kit-types.ts";

async function buildRenderer(): Promise<void> {
  const { build } = await import("vite");
  await build({ configFile: join(root, "build/bundles/vite.renderer.config.ts"), logLevel: "warn" });
}

const parts = { node: bundleNode, types: writeKitTypes, renderer: buildRenderer, docs: () => writeApiDocs() };
const isPart = (name: string): name is keyof typeof parts => name in parts;

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !isPart(name));
if (unknown !== undefined) throw new Error(`no part ${unknown}; there are ${Object.keys(parts).join(", ")}`);
for (const name of wanted.length > 0 ? wanted.filter(isPart) : Object.keys(parts).filter(isPart)) {
  const startedAt = performance.now();
  await parts[name]();
  console.log(`  built ${name} in ${Math.round(performance.now() - startedAt)} ms`);
}
