/**
 * Everything around one Hearth: a watcher that reports to it, a registry to pull from, the networks in between, and a disk,
 * clock and descriptors that can be spoilt.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startRegistry } from "../../support/model/model-registry.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";
import { openRelay } from "../../support/payments/relay.ts";
import { consoleToken, createHearth } from "./hearth.ts";
import { request } from "./request.ts";
import { until } from "./until.ts";

export interface WorldOptions {
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
  /** Whether the program opens its window. */
  readonly inWindow: boolean;
  /** A file of libfaketime; the processes' clock stays the system's without it. */
  readonly faketime?: string;
}

export const modelName = "faults";

export async function openWorld({ folder, command, inWindow, faketime }: WorldOptions) {
  // The disk is a small one of its own where the system lets an ordinary user have one (build/faults.ts).
  const disk = join(folder, "disk");
  const watched = join(folder, "watched");
  const model = join(folder, `${modelName}.gguf`);
  const clockFile = join(folder, "clock");
  for (const path of [disk, watched]) mkdirSync(path, { recursive: true });
  writeFileSync(model, randomGgufBytes());
  writeFileSync(clockFile, "+0");
  const spoiltClock = {
    LD_PRELOAD: faketime,
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };

  const clients = await openRelay();
  const notifications = await openRelay();
  const fileEvents = await openRelay();
  const registry = await startRegistry();
  const yearInSeconds = String(365 * 24 * 3600);
  const hearth = await createHearth({
    command,
    inWindow,
    folder,
    dataDir: join(disk, "data"),
    env: { ...process.env, ...(faketime !== undefined && spoiltClock) },
    flags: [
      ...["--payment-notify-url", notifications.url, "--session-ttl-seconds", yearInSeconds],
      ...["--model", model, "--models-dir", "", "--log-level", "info", "--record-limit", "10000"],
    ],
  });
  let watcher: ChildProcess | undefined;
  let session = "";

  const leadHome = () => {
    const { app } = hearth.addresses();
    for (const relay of [clients, notifications, fileEvents]) relay.leadTo(app);
  };

  const world = {
    hearth,
    appUrl: () => hearth.addresses().app,
    databases: ["hearth.db", "provider.db", "requests.db"].map((name) => join(hearth.dataDir, name)),
    providerDatabase: join(hearth.dataDir, "provider.db"),
    clients,
    notifications,
    fileEvents,
    registry,
    watched,
    disk,
    /** A client's request to /api, by the network that clients use. */
    client: (method: string, path: string, body?: unknown) =>
      request(clients.url, method, `/api${path}`, { body, token: session }),
    /** The same without that network. */
    api: (method: string, path: string, body?: unknown) =>
      request(hearth.addresses().app, method, `/api${path}`, { body, token: session }),
    console: (method: string, path: string, body?: unknown) =>
      request(hearth.addresses().app, method, `/console/api${path}`, { body, token: consoleToken }),
    sim: (method: string, path: string, body?: unknown) =>
      request(hearth.addresses().provider, method, `/sim${path}`, { body }),
    model: (method: string, path: string, body?: unknown) =>
      request(hearth.addresses().model ?? "", method, `/api${path}`, { body }),

    async startWatcher() {
      const [program, ...args] = command;
      const to = ["--to", `${fileEvents.url}/api/inotify/`, "--data-dir", hearth.dataDir];
      const watch = [...args, "watch", watched, ...to];
      // Its clock is the one that the files have, whose times no library can change.
      const child = spawn(program, watch, { stdio: ["ignore", "pipe", "inherit"] });
      watcher = child;
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
      await until("the watcher to watch", () => {
        if (child.exitCode !== null) throw new Error(`it ended with ${String(child.exitCode)}: ${output}`);
        return /watching/.test(output) || undefined;
      });
    },
    async endWatcher(signal: "SIGTERM" | "SIGKILL") {
      const child = watcher;
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill(signal);
      await gone;
    },
    watcherPid: () => watcher?.pid ?? 0,

    async start() {
      await hearth.start();
      leadHome();
      if (session === "") {
        const { body } = await world.console("POST", "/tokens", { user: "buyer" });
        session = (body as { access_token: string }).access_token;
      }
    },
    leadHome,
    /** Sets the clock of all processes apart from the system's: "+2h", "-30m", "+0". */
    setClock: (offset: string) => writeFileSync(clockFile, offset),
    async [Symbol.asyncDispose]() {
      await world.endWatcher("SIGTERM");
      await hearth.end("SIGTERM");
      for (const one of [clients, notifications, fileEvents, registry]) await one[Symbol.asyncDispose]();
      rmSync(hearth.dataDir, { recursive: true, force: true });
    },
  };
  await world.start();
  await world.startWatcher();
  return world;
}
export type World = Awaited<ReturnType<typeof openWorld>>;
