/**
 * Runs after npm's install and removes files that nothing here reads, about a third of all: sources for native
 * compilation (nothing is compiled here), binaries for other systems, source maps, and without the tools also type
 * declarations. Plain JavaScript for the Node that runs npm.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const modules = fileURLToPath(new URL("../node_modules", import.meta.url));
const { platform, arch } = process;

const remove = (...path) => rmSync(join(modules, ...path), { recursive: true, force: true });
const entriesOf = (...path) => {
  try {
    return readdirSync(join(modules, ...path), { withFileTypes: true });
  } catch {
    return [];
  }
};

// A second copy of the download, with all of Node's headers.
for (const { name } of entriesOf("node", "node_modules"))
  if (/^node-\w+-\w+$/.test(name))
    for (const part of ["include", "share", "CHANGELOG.md"]) remove("node", "node_modules", name, part);

// The engine's source as a git bundle, and its binaries for Linux on other processors.
remove("node-llama-cpp", "llama", "gitRelease.bundle");
for (const { name } of entriesOf("@node-llama-cpp"))
  if (platform === "linux" && /^linux-(x64|arm64|armv7l)$/.test(name) && name !== `linux-${arch}`)
    remove("@node-llama-cpp", name);

/** Without the tools, nobody checks types here. */
const isForStart = (process.env.npm_config_omit ?? "").split(/\s+/).includes("dev");
const unread = isForStart ? /[.]map$|[.]d[.][cm]?ts$|^(README|CHANGELOG|CONTRIBUTING|DEVELOPING)[.]md$/i : /[.]map$/;
/** A package without a file for its licence may state it in its README, which a packaged Hearth ships. */
const statesLicenceInReadme = (names) =>
  !names.some((name) => /^(licen[cs]e|copying)/i.test(name)) && names.includes("package.json");
function removeUnread(...folder) {
  const entries = entriesOf(...folder);
  const keepsReadme = statesLicenceInReadme(entries.map(({ name }) => name));
  for (const entry of entries)
    if (entry.isDirectory()) removeUnread(...folder, entry.name);
    else if (unread.test(entry.name) && !(keepsReadme && /^readme/i.test(entry.name))) remove(...folder, entry.name);
}
removeUnread();
if (isForStart)
  for (const { name } of entriesOf("typescript", "lib"))
    if (name !== "typescript.js") remove("typescript", "lib", name);
