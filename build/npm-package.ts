/**
 * Runs before and after `npm pack`. The package of npm contains Hearth built, so its manifest asks for far less than the
 * checkout's, and the licences of what is in the bundles go with it. npm packs package.json as it lies there: it is
 * exchanged for that moment, and put back. Where a pack was killed, `node build/npm-package.ts --restore` does that.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundledLicences, licencePage } from "./package/shipped-licences.ts";
import { engineVersion } from "../server/contract/model/gpu-engine.ts";
import { root } from "./root.ts";

const manifestFile = join(root, "package.json");
const keptFile = join(root, "dist/.package.json");
const licencesFile = join(root, "third-party-licences.txt");

/** The members of the checkout's manifest that the package keeps; the others are for building and testing. */
const keptMembers = ["name", "version", "description", "license", "type", "bin", "exports", "files"] as const;

/** The test runners that the fixtures are for; nobody needs both. */
const testRunners = { vitest: ">=4.1", "@playwright/test": ">=1.50" };

/**
 * The builds of node-llama-cpp without those for extra GPUs, which take hundreds of MB. npm installs the ones that fit the
 * system. The engine's JavaScript is in the runner's bundle.
 */
const engineBuilds = ["linux-arm64", "linux-x64", "mac-arm64-metal", "mac-x64", "win-arm64", "win-x64"];

/** The manifest of the package: it depends on nothing but the engine, which may be missing, and an install runs nothing. */
export function packedManifest(manifest: object): object {
  const kept = Object.entries(manifest).filter(([name]) => (keptMembers as readonly string[]).includes(name));
  return {
    ...Object.fromEntries(kept),
    // The checkout brings a Node of its own; see server/process/installation/node-version.ts.
    engines: { node: ">=24.15" },
    optionalDependencies: Object.fromEntries(engineBuilds.map((name) => [`@node-llama-cpp/${name}`, engineVersion])),
    peerDependencies: testRunners,
    peerDependenciesMeta: Object.fromEntries(Object.keys(testRunners).map((name) => [name, { optional: true }])),
  };
}

function restore(): void {
  if (existsSync(keptFile)) renameSync(keptFile, manifestFile);
  rmSync(licencesFile, { force: true });
}

const { values } = parseArgs({ options: { restore: { type: "boolean" } } });
restore();
if (values.restore !== true) {
  const text = readFileSync(manifestFile, "utf8");
  writeFileSync(keptFile, text);
  writeFileSync(licencesFile, licencePage(bundledLicences()));
  writeFileSync(manifestFile, `${JSON.stringify(packedManifest(JSON.parse(text) as object), null, 2)}\n`);
}
