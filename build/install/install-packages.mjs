/**
 * Installs the packages of a lockfile whenever node_modules does not match it. Plain JavaScript without packages: it
 * runs before any are installed.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const sha256 = (content) => createHash("sha256").update(content).digest("hex");
const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
};

/** Whether npm's record of node_modules under `folder` matches the lockfile; tools may be missing unless needed. */
function matchesLockfile(folder, needsTools) {
  const wanted = readJson(join(folder, "package-lock.json"))?.packages ?? {};
  const installed = readJson(join(folder, "node_modules", ".package-lock.json"))?.packages;
  if (installed === undefined) return false;
  const same = ([name, entry]) =>
    name === "" ||
    (installed[name] === undefined
      ? entry.optional === true ||
        entry.peer === true ||
        (!needsTools && (entry.dev === true || entry.devOptional === true))
      : installed[name].version === entry.version);
  return Object.entries(wanted).every(same) && Object.keys(installed).every((name) => name in wanted);
}

/** Compares the lockfile's hash with the one noted when node_modules last matched; npm ci removes that note. */
function isInstalled(folder, needsTools) {
  const lockfile = join(folder, "package-lock.json");
  const note = join(folder, "node_modules", needsTools ? ".hearth-lockfile" : ".hearth-lockfile-start");
  const hash = sha256(readFileSync(lockfile));
  if (existsSync(note) && readFileSync(note, "utf8") === hash) return true;
  if (!matchesLockfile(folder, needsTools)) return false;
  writeFileSync(note, hash);
  return true;
}

/** npm's settings for the current script; passing on others could install the packages elsewhere. */
const keptNpmSettings =
  /^npm_config_(cache|userconfig|globalconfig|registry|https?_?proxy|noproxy|cafile|ca|strict_ssl|offline|prefer_offline)$/i;

/** The environment for a nested npm. */
export function npmEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_/i.test(name) || keptNpmSettings.test(name) || name.toLowerCase() === "npm_execpath",
  );
  return Object.fromEntries(kept);
}

/** npm run by the current npm's Node: the Node in node_modules is about to be replaced. */
function npmCommand(args) {
  const script = process.env.npm_execpath;
  const node = process.env.npm_node_execpath ?? process.execPath;
  if (script !== undefined && /npm-cli[.]c?js$/.test(script)) return [node, [script, ...args]];
  return process.platform === "win32" ? ["cmd.exe", ["/c", "npm", ...args]] : ["npm", args];
}

/** Installs exactly the lockfile of `folder`, and reports progress every few seconds. */
function install(folder, what, needsTools) {
  console.log(`Installing ${what}...`);
  const startedAt = Date.now();
  const [command, args] = npmCommand([
    "ci",
    needsTools ? "--include=dev" : "--omit=dev",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ]);
  const child = spawn(command, args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"], env: npmEnvironment() });
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  // npm must not continue without this process's lock.
  const stop = () => {
    child.kill();
    process.exit(1);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, stop);
  const progress = setInterval(() => console.log(`  still installing, ${seconds()} s`), 5000);
  return new Promise((resolve, reject) => {
    const over = (problem) => {
      clearInterval(progress);
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeListener(signal, stop);
      if (problem) return reject(new Error(`npm ci failed in ${folder} (${problem}); its own message stands above`));
      console.log(`  installed in ${seconds()} s`);
      resolve();
    };
    child.once("error", (error) => over(error.message));
    child.once("exit", (code) => over(code === 0 ? undefined : `exit code ${code}`));
  });
}

/**
 * Runs `work` while no other process does so under the same name. The lock is a listening socket, which the system
 * closes when its process ends, however it ends. Only on macOS it is a file; a stale one is taken over.
 */
export async function alone(name, work) {
  const key = `hearth-${sha256(name).slice(0, 16)}`;
  const addresses = { win32: `\\\\.\\pipe\\${key}`, linux: `\0${key}` };
  const address = addresses[process.platform] ?? join(tmpdir(), key);
  const listen = () =>
    new Promise((resolve, reject) => {
      const server = createServer((socket) => socket.destroy());
      server.once("error", (error) => (error.code === "EADDRINUSE" ? resolve(undefined) : reject(error)));
      server.listen(address, () => resolve(server));
    });
  const isHeld = () =>
    new Promise((resolve) => {
      const socket = connect(address, () => resolve(true));
      socket.on("error", () => resolve(false));
      socket.on("close", () => socket.destroy());
    });
  let lock = await listen();
  if (lock === undefined) console.log("Waiting for another start, which installs or builds...");
  while (lock === undefined) {
    if (!(process.platform in addresses) && !(await isHeld())) rmSync(address, { force: true });
    await new Promise((resolve) => setTimeout(resolve, 200));
    lock = await listen();
  }
  try {
    await work();
  } finally {
    lock.close();
  }
}

/**
 * Installs the packages of `folder` if they are missing, under a lock.
 * @param needsTools whether the packages for checks and tests (devDependencies) are needed as well
 */
export async function ensurePackages(folder, what, needsTools = true) {
  if (isInstalled(folder, needsTools)) return;
  await alone(folder, async () => {
    // Another run may have installed them while this one waited.
    if (!isInstalled(folder, needsTools)) await install(folder, what, needsTools);
    isInstalled(folder, needsTools);
  });
}
