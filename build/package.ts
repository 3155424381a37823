/**
 * `npm run package -- [TARGET ...]`: builds the program for this system, and packages of it, into release/.
 *
 *     --output DIR      another folder: a new or an empty one, or one with former packages, which are removed
 *     --accept-sizes    accepts that parts have grown
 *     --store           does not compress: quicker, for tests
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { create } from "tar";
import { ensureElectronForTests } from "./install/electron-for-tests.ts";
import { packagerConfig } from "./package/electron-builder.config.ts";
import { ensurePackages } from "./install/install-packages.mjs";
import { drawIcons } from "./package/draw-icons.ts";
import { defaultOutput, emptyOutput } from "./package/output-folder.ts";
import { acceptedSizes, acceptSizes, grownParts, measureParts, sizeLines } from "./package/part-sizes.ts";
import { checkSbom, createSbom } from "./package/sbom.ts";
import { licencePage, shippedLicences } from "./package/shipped-licences.ts";
import { nativePackages } from "./package/shipped-packages.ts";
import { signing } from "./package/signing.ts";
import { writeUpdateFeed } from "./package/update-feed.ts";
import { writeDeb } from "./package/write-deb.ts";
import { root } from "./root.ts";

/** The part of electron-builder that is used here. It is installed on demand, so its own types may be missing. */
interface ElectronBuilder {
  build: (options: Readonly<Record<string, unknown>>) => Promise<string[]>;
}

/** Formats by system; electron-builder makes those that are not made here. */
const targets: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["dir", "tar.gz", "deb", "AppImage"],
  darwin: ["dir", "dmg", "zip"],
  win32: ["dir", "nsis"],
};
const madeHere = ["dir", "tar.gz", "deb"];

const { platform, arch } = process;
const system = `${platform}-${arch}`;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

function refuse(message: string): never {
  console.error(`hearth: ${message}`);
  process.exit(2);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    output: { type: "string", default: defaultOutput(root) },
    "accept-sizes": { type: "boolean", default: false },
    store: { type: "boolean", default: false },
  },
});
const { store } = values;
const output = resolve(values.output);
const unknown = positionals.find((target) => !targets[platform]?.includes(target));
if (unknown !== undefined) refuse(`no target ${unknown} here; there are ${targets[platform]?.join(", ") ?? "none"}`);
const absent = nativePackages({ platform, arch }).filter((name) => !existsSync(join(root, "node_modules", name)));
if (absent.length > 0) refuse(`not installed: ${absent.join(", ")}; npm installs them on ${system}`);

async function loadBuilder(): Promise<ElectronBuilder> {
  const packager = join(root, "build/packager");
  await ensurePackages(packager, "the packager");
  const folder = join(packager, "node_modules/electron-builder");
  const { main } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { main: string };
  const loaded = (await import(pathToFileURL(join(folder, main)).href)) as {
    default?: ElectronBuilder;
  } & ElectronBuilder;
  return loaded.default ?? loaded;
}

function writeLicences(folder: string, electronVersion: string): void {
  const packages = shippedLicences({ platform, arch });
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  write("LICENSE.txt", readFileSync(join(root, "LICENSE"), "utf8"));
  write("third-party.txt", licencePage(packages));
  const sbom = createSbom(packages, electronVersion);
  checkSbom(sbom);
  write("hearth.cdx.json", JSON.stringify(sbom, null, 1));
}

/** The folder in which electron-builder leaves the program. */
function unpackedFolder(): string {
  const suffix = arch === "x64" ? "" : `-${arch}`;
  if (platform === "darwin") return join(output, `mac${suffix}/Hearth.app/Contents`);
  return join(output, `${platform === "win32" ? "win" : platform}${suffix}-unpacked`);
}

const electron = ensureElectronForTests();
console.log(`Packaging with Electron ${electron.version}${electron.official ? "" : ", not the official binary"}...`);
const { missing } = signing(platform, process.env);
if (missing !== undefined) console.log(`  ${missing}`);
const { build } = await loadBuilder();
try {
  emptyOutput(output, root);
} catch (error) {
  refuse((error as Error).message);
}
const scratch = join(output, ".build");
const icons = await drawIcons(join(scratch, "icons"));
const licences = join(scratch, "licences");
writeLicences(licences, electron.version);

const others = positionals.filter((target) => !madeHere.includes(target));
const builderPlatform = platform === "darwin" ? "mac" : platform === "win32" ? "win" : platform;
await build({
  projectDir: root,
  publish: "never",
  ...(others.length > 0 ? { [builderPlatform]: others } : { dir: true }),
  config: packagerConfig({ electron, output, icons, licences, platform, arch }),
});

const program = unpackedFolder();
const sizes = measureParts(program, electron.version);
const archives: string[] = [];
if (positionals.includes("tar.gz")) {
  const name = `hearth-${version}-${system}`;
  const file = join(output, `${name}.tar.gz`);
  await create({ file, cwd: program, prefix: name, portable: true, gzip: { level: store ? 0 : 9 } }, ["."]);
  archives.push(file);
}
if (positionals.includes("deb")) {
  const file = join(output, `hearth_${version}_${arch === "x64" ? "amd64" : arch}.deb`);
  writeDeb({ program, file, version, arch, icons, store });
  archives.push(file);
}
rmSync(scratch, { recursive: true, force: true });
rmSync(join(output, "builder-debug.yml"), { force: true });
writeUpdateFeed(output, version, platform, arch);

for (const file of archives) console.log(`  ${(statSync(file).size / 1e6).toFixed(1)} MB  ${basename(file)}`);
console.log(`The program lies in ${program}; its largest parts:\n${sizeLines(sizes).join("\n")}`);
if (values["accept-sizes"]) acceptSizes(system, sizes);
const grown = grownParts(sizes, acceptedSizes(system));
if (grown.length > 0) refuse(`${grown.join("; ")}. If that is wanted: npm run package -- --accept-sizes`);
