/**
 * Prepares the checkout: installs the packages of package-lock.json and builds dist/, each only if it is out of date.
 * Runs before anything is installed, so it is plain JavaScript for any Node from 20 on. `--rebuild` always builds,
 * `--install-only` does not build, `--tools` also installs the packages for checks and tests. `--run SCRIPT ARGUMENTS`
 * then runs a script on the Node just installed: a shell keeps the `node` that it found first, which may be too old.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtParts, forgetBuilt, noteBuilt } from "./built-parts.mjs";
import { alone, ensurePackages, npmEnvironment } from "./install/install-packages.mjs";
import { nodeProblem } from "./install/pinned-node.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const modules = join(root, "node_modules");
const oldestMajor = 20;

/** The sources of each part of dist/; a folder includes all its files. */
const parts = {
  node: {
    output: "dist/cli.js",
    inputs: [
      "server",
      "electron",
      "renderer/public/icon.svg",
      "renderer/features/api-docs/frame",
      "renderer/ui/surfaces.css",
      "build/bundles/bundle-node.ts",
      "build/bundles/engine-in-place.ts",
      "build/bundles/compressed-output.ts",
      "build/bundles/lazy-builtins.ts",
      "build/bundles/precompress.ts",
      "build/bundles/swagger-ui-in-place.ts",
      "build/package/bundled-packages.ts",
      "build/build.ts",
      "package.json",
      "package-lock.json",
    ],
  },
  types: {
    output: "dist/kit/start-hearth.d.ts",
    inputs: [
      "server/kit",
      "server/contract",
      "build/bundles/write-kit-types.ts",
      "build/build.ts",
      "package-lock.json",
    ],
  },
  renderer: {
    output: "dist/renderer/index.html",
    inputs: [
      "renderer",
      "server/contract",
      "server/app/console/reference-client",
      "docs/README.md",
      "docs/guides",
      "build/bundles/precompress.ts",
      "build/bundles/vite.renderer.config.ts",
      "build/package/bundled-packages.ts",
      "build/build.ts",
      "package-lock.json",
    ],
  },
  docs: {
    output: "dist/api-docs/Release/hearth.xml",
    inputs: [
      "server/contract",
      "server/app",
      "build/docs/read-doc-comments.ts",
      "build/docs/write-api-docs.ts",
      "build/build.ts",
    ],
  },
};

function fail(message) {
  console.error(`hearth: ${message}`);
  process.exit(1);
}

const nodeBinary = () => join(modules, "node", "bin", process.platform === "win32" ? "node.exe" : "node");

/** The install script of the package `node` fetches its binary; an npm without install scripts omits it. */
function ensureNode() {
  if (!existsSync(nodeBinary()))
    spawnSync(process.execPath, ["installArchSpecificPackage.js"], {
      cwd: join(modules, "node"),
      stdio: "inherit",
      env: npmEnvironment(),
    });
  if (!existsSync(nodeBinary())) fail("the package node has no binary for this system; see above");
  const problem = nodeProblem(modules);
  if (problem !== undefined) fail(`${problem}; remove the folder node_modules, and start again`);
}

/** Hashes all files under the inputs, in the order of their names. */
function hashInputs(inputs) {
  const hash = createHash("sha256");
  const add = (path) => {
    let entries;
    try {
      entries = readdirSync(join(root, path), { withFileTypes: true });
    } catch (error) {
      if (error.code === "ENOTDIR")
        hash
          .update(path)
          .update("\0")
          .update(readFileSync(join(root, path)))
          .update("\0");
      else if (error.code !== "ENOENT") throw error;
      return;
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1)))
      if (entry.isDirectory() || entry.isFile()) add(`${path}/${entry.name}`);
  };
  for (const input of inputs) add(input);
  return hash.digest("hex");
}

/** All inputs, without those inside another. */
const allInputs = Object.values(parts)
  .flatMap(({ inputs }) => inputs)
  .filter((input, at, all) => all.indexOf(input) === at && !all.some((other) => input.startsWith(`${other}/`)));

/** Hashes names, sizes and times of all inputs: much quicker than their content. No program can set `ctime`. */
function lookAtInputs() {
  const hash = createHash("sha256");
  const look = (path) => {
    const file = join(root, path);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return;
    hash.update(`${path}\0${found.isDirectory() ? "" : found.size}\0${found.ctimeMs}\n`);
    if (found.isDirectory()) for (const name of readdirSync(file).sort()) look(`${path}/${name}`);
  };
  for (const input of allInputs) look(input);
  return hash.digest("hex");
}

/** Reads the content of the inputs only if they look different from when all parts were last up to date. */
function staleParts(force) {
  const built = builtParts();
  const look = lookAtInputs();
  const isBuilt = ({ output }) => existsSync(join(root, output));
  if (!force && built.look === look && Object.values(parts).every(isBuilt)) return { look, stale: [] };
  const stale = Object.entries(parts)
    .map(([name, part]) => ({ name, hash: hashInputs(part.inputs) }))
    .filter(({ name, hash }) => force || built[name] !== hash || !isBuilt(parts[name]));
  if (stale.length === 0) noteBuilt({ look });
  return { look, stale };
}

function build({ look, stale }) {
  console.log(`Building ${stale.map(({ name }) => name).join(" and ")}...`);
  const names = stale.map(({ name }) => name);
  forgetBuilt(names);
  const { status } = spawnSync(nodeBinary(), [join(root, "build", "build.ts"), ...names], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) fail("the build failed; its own message stands above");
  noteBuilt({ look, ...Object.fromEntries(stale.map(({ name, hash }) => [name, hash])) });
}

/** Runs a script in place of this process: it gets this one's signals, and this one ends as it does. */
function runScript([script, ...args]) {
  const child = spawn(nodeBinary(), [script, ...args], { stdio: "inherit" });
  const passOn = (signal) => {
    // A terminal itself sends its Ctrl+C to both.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, passOn);
  child.once("error", (error) => fail(error.message));
  child.once("exit", (code, signal) => {
    for (const each of signals) process.removeListener(each, passOn);
    if (signal === null) process.exitCode = code;
    else process.kill(process.pid, signal);
  });
}

if (Number(process.versions.node.split(".")[0]) < oldestMajor)
  fail(`Hearth needs Node ${oldestMajor} or newer; this is ${process.version}`);
const runAt = process.argv.indexOf("--run");
const options = process.argv.slice(2, runAt === -1 ? undefined : runAt);
const force = options.includes("--rebuild");
const installOnly = options.includes("--install-only");
const needsTools = options.includes("--tools");

try {
  await ensurePackages(root, "Hearth's packages, once (about 200 MB to fetch)", needsTools);
  ensureNode();
  if (!installOnly && staleParts(force).stale.length > 0)
    await alone(`${root} build`, async () => {
      // Another run may have built while this one waited.
      const found = staleParts(force);
      if (found.stale.length > 0) build(found);
    });
} catch (error) {
  fail(error.message);
}
if (runAt !== -1) runScript(process.argv.slice(runAt + 1));
