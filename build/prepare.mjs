/**
 * Brings the checkout into a state that runs: installs the packages of package-lock.json and builds dist/, each only
 * when it is not up to date. Runs before anything is installed, so it is plain JavaScript for any Node from 20 on.
 * `--rebuild` builds in any case, `--install-only` builds nothing.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const modules = join(root, "node_modules");
const oldestMajor = 20;

/** What each part of dist/ is made from; a folder counts with all that is in it. */
const parts = {
  node: {
    output: "dist/cli.js",
    inputs: ["server", "electron", "build/bundle-node.ts", "build/build.ts", "package.json", "package-lock.json"],
  },
  renderer: {
    output: "dist/renderer/index.html",
    inputs: ["renderer", "server/contract", "build/vite.renderer.config.ts", "build/build.ts", "package-lock.json"],
  },
};
const builtFile = join(root, "dist", ".built.json");

const sha256 = (content) => createHash("sha256").update(content).digest("hex");
const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
};

function fail(message) {
  console.error(`hearth: ${message}`);
  process.exit(1);
}

/** Packages installed in node_modules under `folder`, as npm notes them there, are those of its lockfile. */
function matchesLockfile(folder) {
  const wanted = readJson(join(folder, "package-lock.json"))?.packages ?? {};
  const installed = readJson(join(folder, "node_modules", ".package-lock.json"))?.packages;
  if (installed === undefined) return false;
  const same = ([name, entry]) =>
    name === "" ||
    (installed[name] === undefined
      ? entry.optional === true || entry.peer === true
      : installed[name].version === entry.version);
  return Object.entries(wanted).every(same) && Object.keys(installed).every((name) => name in wanted);
}

const nodeBinary = () => join(modules, "node", "bin", process.platform === "win32" ? "node.exe" : "node");

/** The hash of the lockfile that node_modules was last seen to fit, noted inside it: npm ci removes it with the rest. */
function isInstalled(folder) {
  const lockfile = join(folder, "package-lock.json");
  const note = join(folder, "node_modules", ".hearth-lockfile");
  const hash = sha256(readFileSync(lockfile));
  if (existsSync(note) && readFileSync(note, "utf8") === hash) return true;
  if (!matchesLockfile(folder)) return false;
  writeFileSync(note, hash);
  return true;
}

/** npm's own settings for the script that runs now; handed on, some of them would send the packages elsewhere. */
const keptNpmSettings =
  /^npm_config_(cache|userconfig|globalconfig|registry|https?_?proxy|noproxy|cafile|ca|strict_ssl|offline|prefer_offline)$/i;

function npmEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_/i.test(name) || keptNpmSettings.test(name) || name.toLowerCase() === "npm_execpath",
  );
  // The engine's own script would compile llama.cpp where it finds no prebuilt one.
  return { ...Object.fromEntries(kept), NODE_LLAMA_CPP_SKIP_DOWNLOAD: "true" };
}

/** npm by the Node that runs npm now: the one in node_modules is about to be replaced. */
function npmCommand(args) {
  const script = process.env.npm_execpath;
  const node = process.env.npm_node_execpath ?? process.execPath;
  if (script !== undefined && /npm-cli[.]c?js$/.test(script)) return [node, [script, ...args]];
  return process.platform === "win32" ? ["cmd.exe", ["/c", "npm", ...args]] : ["npm", args];
}

function countPackages(folder) {
  try {
    return readdirSync(join(folder, "node_modules")).length;
  } catch {
    return 0;
  }
}

/** Installs exactly what the lockfile of `folder` says, with a sign of life every few seconds. */
function install(folder, what) {
  console.log(`Installing ${what}...`);
  const startedAt = Date.now();
  const [command, args] = npmCommand(["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"]);
  const child = spawn(command, args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"], env: npmEnvironment() });
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const progress = setInterval(
    () => console.log(`  ${seconds()} s, ${countPackages(folder)} folders of packages`),
    5000,
  );
  return new Promise((resolve) => {
    const over = (problem) => {
      clearInterval(progress);
      if (problem) fail(`npm ci failed in ${folder} (${problem}); its own message stands above`);
      console.log(`  installed in ${seconds()} s`);
      resolve();
    };
    child.once("error", (error) => over(error.message));
    child.once("exit", (code) => over(code === 0 ? undefined : `exit code ${code}`));
  });
}

/** The package `node` gets its binary by its install script; an npm that is set to run none leaves it out. */
function ensureNode() {
  const works = () => spawnSync(nodeBinary(), ["--version"]).status === 0;
  if (works()) return;
  spawnSync(process.execPath, ["installArchSpecificPackage.js"], {
    cwd: join(modules, "node"),
    stdio: "inherit",
    env: npmEnvironment(),
  });
  if (!works()) fail("the package node has no binary for this system; see above");
}

/** Every file under the inputs with its content; the order is that of the names. */
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

function staleParts(force) {
  const built = readJson(builtFile) ?? {};
  return Object.entries(parts)
    .map(([name, { output, inputs }]) => ({ name, output, hash: hashInputs(inputs) }))
    .filter(({ name, output, hash }) => force || built[name] !== hash || !existsSync(join(root, output)));
}

function build(stale) {
  console.log(`Building ${stale.map(({ name }) => name).join(" and ")}...`);
  const names = stale.map(({ name }) => name);
  const { status } = spawnSync(nodeBinary(), [join(root, "build", "build.ts"), ...names], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) fail("the build failed; its own message stands above");
  const built = { ...readJson(builtFile), ...Object.fromEntries(stale.map(({ name, hash }) => [name, hash])) };
  writeFileSync(builtFile, JSON.stringify(built));
}

/**
 * Runs `work` while no other run of this script works in this checkout. The lock is a listening socket, which the system
 * closes however its process ends; only on macOS it is a file, and one that nobody answers is taken over.
 */
async function alone(work) {
  const key = `hearth-prepare-${sha256(root).slice(0, 16)}`;
  const addresses = { win32: `\\\\.\\pipe\\${key}`, linux: `\0${key}` };
  const address = addresses[process.platform] ?? join(tmpdir(), key);
  const server = createServer((socket) => socket.destroy());
  const listen = () =>
    new Promise((resolve, reject) => {
      server.once("error", (error) => (error.code === "EADDRINUSE" ? resolve(false) : reject(error)));
      server.listen(address, () => resolve(true));
    });
  const isHeld = () =>
    new Promise((resolve) => {
      const socket = connect(address, () => resolve(true));
      socket.on("error", () => resolve(false));
      socket.on("close", () => socket.destroy());
    });
  for (let told = false; !(await listen());) {
    if (!(await isHeld()) && process.platform !== "linux") rmSync(address, { force: true });
    if (!told) console.log("Waiting for another start, which installs or builds...");
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await work();
  server.close();
}

if (Number(process.versions.node.split(".")[0]) < oldestMajor)
  fail(`Hearth needs Node ${oldestMajor} or newer; this is ${process.version}`);
const force = process.argv.includes("--rebuild");
const installOnly = process.argv.includes("--install-only");
const isReady = () => isInstalled(root) && existsSync(nodeBinary());

if (!isReady() || (!installOnly && staleParts(force).length > 0))
  await alone(async () => {
    // Another run may have done it while this one waited.
    if (!isInstalled(root)) await install(root, "Hearth's packages, once (about 200 MB to fetch)");
    ensureNode();
    isInstalled(root);
    const stale = installOnly ? [] : staleParts(force);
    if (stale.length > 0) build(stale);
  });
