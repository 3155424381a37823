/** The Hearth that is put to the test: the built program, or a packaged one, over one data directory for all its starts. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ServiceName } from "../../../server/contract/process/services.ts";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { descendants, isRunning, sendSignal, typeOf } from "../../support/process/processes.ts";
import { servicePid, serviceStatuses } from "../../support/process/service-statuses.ts";
import { freePort } from "../../support/process/free-port.ts";
import { until } from "./until.ts";

export const consoleToken = "faults-".padEnd(40, "0");

export interface HearthOptions {
  /** Program and arguments before the command, such as `serve`. */
  readonly command: readonly [string, ...string[]];
  /** Whether it opens its window, as a packaged program does when it is given no command. */
  readonly inWindow: boolean;
  readonly folder: string;
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly flags: readonly string[];
}

export async function createHearth({ command, inWindow, folder, dataDir, env, flags }: HearthOptions) {
  const [program, ...args] = command;
  const readyFile = join(folder, "ready.json");
  const temporary = join(folder, "tmp");
  mkdirSync(temporary, { recursive: true });
  // The same ones at each start, so that what is left of the one before is in the way.
  const names = ["--app-port", "--console-port", "--provider-port", "--model-port"];
  const ports = (await Promise.all(names.map(async (name) => [name, String(await freePort())]))).flat();
  let output = "";
  let ready: ReadyFileContent | undefined;

  const readReady = () => (ready = JSON.parse(readFileSync(readyFile, "utf8")) as ReadyFileContent);
  /** The last ones that were told: clients go on asking there while nobody answers. */
  const addresses = () => ready ?? readReady();
  const services = () => serviceStatuses(addresses());

  function spawnHearth() {
    const own = ["--data-dir", dataDir, "--ready-file", readyFile, ...ports, ...flags];
    const child = spawn(program, [...args, inWindow ? "--remote-debugging-port=0" : "serve", ...own], {
      env: { ...env, HEARTH_CONSOLE_TOKEN: consoleToken, TMPDIR: temporary },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    return child;
  }

  /** Every process of any start, found by what all of them inherit. */
  const living = () =>
    readdirSync("/proc").filter((pid) => {
      try {
        const inherits =
          /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "utf8").includes(`TMPDIR=${temporary}\0`);
        return inherits && isRunning(Number(pid));
      } catch {
        return false;
      }
    });
  const noneIsLeft = () => until("the end of every process", () => (living().length > 0 ? undefined : true));

  return {
    dataDir,
    addresses,
    services,
    /** All that it has printed, of all its starts. */
    output: () => output,
    /** Its own process and all below it. */
    pids: () => [addresses().pid, ...descendants(addresses().pid)],
    /** Chromium's processes of a type, such as "renderer"; none without a window. */
    pidsOfType: (type: string) => descendants(addresses().pid).filter((pid) => typeOf(pid) === type),
    /** Where the DevTools of the window answer that was opened last; undefined without a window. */
    devTools: () => [...output.matchAll(/DevTools listening on (ws:\S+)/g)].at(-1)?.[1],
    pidOf: (name: ServiceName) => servicePid(addresses(), name),
    async start() {
      rmSync(readyFile, { force: true });
      const child = spawnHearth();
      await until("Hearth to be ready", () => {
        if (child.exitCode !== null)
          throw new Error(`it ended with ${String(child.exitCode)}:\n${output.slice(-2_000)}`);
        return readReady();
      });
      const { model } = await services();
      if (model.state !== "up") throw new Error(`the model service is ${model.state}: ${String(model.reason)}`);
    },
    /** Kills the process that holds all others, so long after it was started. */
    async startAndKill(afterMs: number) {
      const child = spawnHearth();
      const gone = once(child, "exit");
      await wait(afterMs);
      child.kill("SIGKILL");
      await gone;
      await noneIsLeft();
    },
    async end(signal: "SIGTERM" | "SIGKILL") {
      sendSignal(addresses().pid, signal);
      await noneIsLeft();
    },
  };
}
