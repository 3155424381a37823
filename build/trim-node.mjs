/**
 * After npm's install: takes away what only compilers of native code need, and here nothing is compiled. The package `node`
 * keeps a second copy of its download with all of Node's headers, 67 MB. Plain JavaScript for the Node that runs npm.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const downloads = fileURLToPath(new URL("../node_modules/node/node_modules", import.meta.url));
const perPlatform = existsSync(downloads) ? readdirSync(downloads).filter((name) => /^node-\w+-\w+$/.test(name)) : [];
for (const name of perPlatform)
  for (const part of ["include", "share", "CHANGELOG.md"])
    rmSync(join(downloads, name, part), { recursive: true, force: true });
