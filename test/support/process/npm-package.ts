/** The package as npm packs it, installed into an empty folder. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, globSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { npmEnvironment } from "../../../build/install/install-packages.mjs";
import { temporaryFolder } from "../temporary-folder.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const run = promisify(execFile);

/** What packing reads. It happens in a copy, because npm packs a manifest that lies there only for that moment. */
const packed = ["build", "dist", "server", "LICENSE", "README.md", "package.json"];

/** Packs the checkout into a folder. @returns the tarball */
export async function packTo(folder: string): Promise<string> {
  using world = temporaryFolder();
  const copy = join(world.path, "checkout");
  for (const name of packed) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  // As npm does before it packs, but for the preparation: that would install into the checkout's own packages.
  await run(process.execPath, ["build/npm-package.ts"], { cwd: copy });
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder, "--loglevel=error"], {
    cwd: copy,
    env: npmEnvironment(),
  });
  return join(folder, stdout.trim().split("\n").at(-1) ?? "");
}

/** Packs the checkout and installs the tarball without a network, so without the engine. @returns the project */
export async function installPackage(folder: string): Promise<string> {
  const tarball = await packTo(folder);
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
  await run("npm", ["install", "-D", tarball, "--offline", "--omit=optional", "--no-audit", "--no-fund"], {
    cwd: project,
    env: npmEnvironment(),
  });
  return project;
}

/** Adds packages of the checkout to the project. */
export function addPackages(project: string, ...names: readonly string[]): void {
  for (const name of names) {
    const place = join(project, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    if (!existsSync(place)) symlinkSync(join(root, "node_modules", name), place);
  }
}

/** Copies an example's files into the project. */
export const copyExample = (name: string, project: string): void =>
  cpSync(join(root, "docs/examples", name), project, {
    recursive: true,
    filter: (source) => !source.endsWith("package.json"),
  });

/** What a folder takes on the disk, in MB as `du -sm` counts them. */
export function installedMb(folder: string): number {
  const paths = ["", ...globSync("**", { cwd: folder })].map((name) => lstatSync(join(folder, name)));
  return Math.ceil(paths.reduce((sum, { blocks }) => sum + blocks * 512, 0) / 2 ** 20);
}
