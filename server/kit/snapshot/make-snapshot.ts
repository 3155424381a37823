/** Makes the snapshot of an instance. Argument: its file, whose workshop exists. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { renameFile } from "../../file-system/rename-file.ts";
import { createHearth } from "../create-hearth.ts";
import { dataDirIn } from "../instance-folder.ts";
import { runInstance } from "../run-instance.ts";
import { memoryOptions, snapshotsOfThisNode, workshopOf } from "./instance-snapshot.ts";

const [file = ""] = process.argv.slice(2);
const folder = workshopOf(file);
const code = join(folder, "instance-code.cjs");
const compiled = join(folder, "compiled");
const entry = fileURLToPath(new URL("./snapshot-script.cjs", import.meta.url));
const args = [new URL("./instance-code.cjs", import.meta.url).href, code, compiled];

/** Runs an instance like a test does: what it compiles meanwhile will be part of the snapshot. */
async function recordCompiledCode(): Promise<void> {
  const values = {
    durability: "none",
    prompt_cache_mb: 0,
    log_level: "fatal",
    data_dir: dataDirIn(folder),
    headless: true,
  };
  const ports = { app_port: 0, provider_port: 0, model_port: 0, stand_in_port: 0 };
  // The state from which Node makes snapshots, to which the compiled code must belong.
  const nodeOptions = ["--no-node-snapshot", ...memoryOptions];
  const start = { values: { ...values, ...ports }, folder, onStart: () => undefined };
  const { addresses, stop } = await runInstance(start, { code: { nodeOptions, entry, args } });
  const hearth = await createHearth(addresses, { users: {}, rules: new Map(), hasFiles: false }, stop);
  const phone = await hearth.phone("ada");
  await phone.request("POST", "/api/articles", { title: "" });
  await phone.request("GET", "/api/articles");
  await hearth.stop();
}

/** Snapshots of other builds, which this Node would not start from any more. */
async function removeOthers(): Promise<void> {
  const names = await readdir(dirname(file));
  const others = names.filter((name) => name.startsWith(snapshotsOfThisNode) && !name.startsWith(basename(file)));
  await Promise.all(others.map((name) => rm(join(dirname(file), name), { recursive: true, force: true })));
}

// A failure leaves the workshop, so that the next starts do not try the same again at once.
const built = await readFile(new URL("./instance-code.cjs.br", import.meta.url));
await writeFile(code, brotliDecompressSync(built));
await recordCompiledCode();
const part = join(folder, "snapshot");
const options = [...memoryOptions, "--snapshot-blob", part, "--build-snapshot"];
const making = spawn(process.execPath, [...options, entry, ...args], { stdio: "ignore" });
await once(making, "exit");
if (making.exitCode !== 0) throw new Error("Node made no snapshot");
await renameFile(part, file);
await removeOthers();
await rm(folder, { recursive: true, force: true, maxRetries: 5 });
