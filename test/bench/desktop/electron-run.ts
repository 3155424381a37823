/** Runs of Electron for the desktop benchmark: timed from the start of the process, and connected to over CDP. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import electronBinary from "electron";
import type { ServiceStatus } from "../../../server/contract/process/services.ts";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { freePort } from "../../support/process/free-port.ts";
import { plainEnvironment } from "../../support/process/launch.ts";
import { root } from "../open-bench.ts";

export interface ElectronRun extends AsyncDisposable {
  readonly pid: number;
  /** Where Chromium's DevTools protocol answers. */
  readonly devTools: string;
  /** From the start until there is a page. */
  readonly windowMs: number;
  /** From the start until the ready file is there. */
  readyMs(): Promise<number>;
  /** The names of the services by their processes, once they are ready. */
  services(): Promise<Map<number, string>>;
}

/** Chromium has no sandbox for root. */
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** Flags with which a Hearth keeps to a folder. */
const ownPlace = (folder: string, readyFile: string) => [
  ...["--data-dir", join(folder, "data"), "--ready-file", readyFile],
  ...["--app-port", "0", "--provider-port", "0", "--model-port", "0"],
];

const electron = electronBinary as unknown as string; // in Node the package is the path of its binary

/** `program` is a packaged one; undefined stands for this checkout. */
export function hearthCommand(program: string | undefined): readonly string[] {
  return program === undefined ? [electron, join(root, "dist/electron.js")] : [program];
}

/** A program that only opens a window. */
export function bareCommand(folder: string): readonly string[] {
  writeFileSync(join(folder, "package.json"), '{"main":"main.js"}');
  writeFileSync(
    join(folder, "main.js"),
    `const { app, BrowserWindow } = require("electron");
     app.setPath("userData", ${JSON.stringify(join(folder, "profile"))});
     app.whenReady().then(() => new BrowserWindow({ width: 1280, height: 860 }).loadURL("data:text/html,<p>Hello"));
     app.on("window-all-closed", () => app.quit());`,
  );
  return [electron, folder];
}

/** A checkout's shell reads settings from the environment, a packaged one from its flags. */
function settingsOf(command: readonly string[], folder: string, readyFile: string) {
  if (command.length === 1) return { flags: ownPlace(folder, readyFile), env: {} };
  const env = {
    ...{ HEARTH_DATA_DIR: join(folder, "data"), HEARTH_READY_FILE: readyFile },
    ...{ HEARTH_APP_PORT: "0", HEARTH_PROVIDER_PORT: "0", HEARTH_MODEL_PORT: "0" },
  };
  return { flags: [], env };
}

export async function runElectron(command: readonly string[], folder: string): Promise<ElectronRun> {
  const profile = join(folder, "data/window");
  mkdirSync(profile, { recursive: true });
  // Without the introduction of a new data directory.
  writeFileSync(join(profile, "desktop.json"), '{"isIntroduced":true,"onClose":"quit"}');
  const readyFile = join(folder, "ready.json");
  const port = await freePort();
  const devTools = `http://127.0.0.1:${String(port)}`;
  const { flags, env } = settingsOf(command, folder, readyFile);
  const [program = "", ...args] = command;
  const switches = [`--remote-debugging-port=${String(port)}`, ...asRoot];
  const beganMs = performance.now();
  const child = spawn(program, [...switches, ...args, ...flags], {
    env: { ...plainEnvironment(), ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  async function until(condition: () => boolean | Promise<boolean>): Promise<number> {
    while (!(await condition())) {
      if (hasEnded(child)) throw new Error(`${program} ended with ${String(child.exitCode)}:\n${output}`);
      await wait(5);
    }
    return performance.now() - beganMs;
  }
  const hasPage = async () => {
    const reply = await fetch(`${devTools}/json/list`).catch(() => undefined);
    const targets = (await reply?.json()) as { type: string; url: string }[] | undefined;
    return targets?.some(({ type, url }) => type === "page" && url !== "" && url !== "about:blank") ?? false;
  };
  return {
    pid: child.pid ?? 0,
    devTools,
    windowMs: await until(hasPage),
    readyMs: () => until(() => existsSync(readyFile)),
    async services() {
      const { app, console } = JSON.parse(readFileSync(readyFile, "utf8")) as ReadyFileContent;
      const authorization = `Bearer ${new URL(console).searchParams.get("token") ?? ""}`;
      const reply = await fetch(`${app}/console/api/overview`, { headers: { authorization } });
      const { services } = (await reply.json()) as { services: ServiceStatus[] };
      return new Map(services.flatMap(({ name, pid }) => (pid === undefined ? [] : [[pid, name] as const])));
    },
    async [Symbol.asyncDispose]() {
      if (hasEnded(child)) return;
      const ended = once(child, "close");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Time from the start of a headless Hearth until every service answers, in ms. */
export async function headlessReadyMs(program: string | undefined, folder: string): Promise<number> {
  const readyFile = join(folder, "ready.json");
  const command =
    program === undefined ? [process.execPath, join(root, "dist/cli.js"), "serve"] : [program, ...asRoot, "--headless"];
  const beganMs = performance.now();
  const [first = "", ...args] = command;
  const child = spawn(first, [...args, ...ownPlace(folder, readyFile)], { env: plainEnvironment(), stdio: "ignore" });
  while (!existsSync(readyFile)) {
    if (hasEnded(child)) throw new Error(`${first} ended with ${String(child.exitCode)}`);
    await wait(5);
  }
  const tookMs = performance.now() - beganMs;
  const ended = once(child, "close");
  child.kill("SIGTERM");
  await ended;
  return tookMs;
}

/** What a process is for Chromium: its `--type`, and which of its helpers it is. */
export function kindOf(pid: number): string {
  const line = readFileSync(`/proc/${String(pid)}/cmdline`, "utf8");
  const [, type] = /--type=([\w-]+)/.exec(line) ?? [];
  const [, helper] = /--utility-sub-type=([\w.]+)/.exec(line) ?? [];
  return helper?.split(".").at(-1) ?? type ?? "main";
}
