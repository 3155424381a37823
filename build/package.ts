/**
 * `npm run package`: builds the unpacked program for this system into release/, or with `--output DIR` into another
 * folder. Installers and signing come later.
 */
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ensureElectronForTests } from "./electron-for-tests.ts";
import { packagerConfig } from "./electron-builder.config.ts";
import { ensurePackages } from "./install-packages.mjs";
import { root } from "./root.ts";

/** The part of electron-builder that is used here. It is installed on demand, so its own types may be missing. */
interface ElectronBuilder {
  build: (options: { projectDir: string; dir: boolean; publish: "never"; config: unknown }) => Promise<string[]>;
}

const packager = join(root, "build/packager");
await ensurePackages(packager, "the packager");
const electron = ensureElectronForTests();
console.log(`Packaging with Electron ${electron.version}${electron.official ? "" : ", not the official binary"}...`);

const { main } = JSON.parse(readFileSync(join(packager, "node_modules/electron-builder/package.json"), "utf8")) as {
  main: string;
};
const entry = pathToFileURL(join(packager, "node_modules/electron-builder", main)).href;
const builder = (await import(entry)) as ElectronBuilder & { default?: ElectronBuilder };
const { values } = parseArgs({ options: { output: { type: "string", default: join(root, "release") } } });
const output = resolve(values.output);
rmSync(output, { recursive: true, force: true });
const { build } = builder.default ?? builder;
await build({ projectDir: root, dir: true, publish: "never", config: packagerConfig({ electron, output }) });
console.log(`The program lies in ${output}`);
