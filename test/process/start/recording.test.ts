import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { openRequestStore } from "../../../server/app/requests/store/request-store.ts";
import { built, launchHearth, plainEnvironment } from "../../support/process/launch.ts";
import { sendSignal } from "../../support/process/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const main = built("app");

/** The app process alone; `run` is given its address, and it is told to stop when that is over. */
async function withApp(dataDir: string, run: (url: string) => Promise<unknown>): Promise<number | null> {
  const args = [main, "--data-dir", dataDir, "--app-port", "0", "--provider-port", "0"];
  const child = spawn(process.execPath, args, { env: plainEnvironment(), stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  for await (const line of createInterface(child.stdout)) {
    const { msg, app } = JSON.parse(line) as { msg: string; app: string };
    if (msg !== "listening") continue;
    await run(app);
    break;
  }
  child.stdout.resume();
  child.kill("SIGTERM");
  const [code] = (await exited) as [number | null];
  return code;
}

async function recordedRows(dataDir: string) {
  const store = openRequestStore(join(dataDir, "requests.db"), { maxRows: 1000, maxBytes: 1e9 });
  const rows = await store.find({ limit: 1000 });
  store.close();
  return rows;
}

it("the requests up to the end of a run are recorded and listed in the next run", async () => {
  using folder = temporaryFolder();
  const requests = (url: string, from: number) =>
    Promise.all(Array.from({ length: 20 }, (_, index) => fetch(`${url}/n/${String(from + index)}`)));
  expect(await withApp(folder.path, (url) => requests(url, 0))).toBe(0);
  expect(await withApp(folder.path, (url) => requests(url, 20))).toBe(0);
  const rows = await recordedRows(folder.path);
  expect(rows.map(({ path }) => path).toSorted()).toEqual(
    Array.from({ length: 40 }, (_, index) => `/n/${String(index)}`).toSorted(),
  );
  expect(new Set(rows.map(({ id }) => id)).size).toBe(40);
});

it.each(["SIGTERM to the command", "a Ctrl-C that every process gets"])(
  "the requests to any service up to %s are recorded",
  async (how) => {
    using folder = temporaryFolder();
    await using hearth = launchHearth({ dataDir: folder.path });
    const { app, provider, model } = await hearth.ready();
    const paths = numbers.map((index) => `/n/${String(index)}`);
    const [command, ...services] = await hearth.pids();
    await Promise.all(
      [app, provider, model ?? ""].flatMap((url) => paths.map(async (path) => (await fetch(url + path)).text())),
    );
    if (how.startsWith("SIGTERM")) hearth.child.kill("SIGTERM");
    else for (const pid of [...services, command]) sendSignal(pid, "SIGINT");
    expect(await hearth.exited).toBe(0);
    const rows = (await recordedRows(folder.path)).filter(({ path }) => path.startsWith("/n/"));
    for (const service of ["app", "provider", "model"]) {
      const own = rows.filter((row) => row.service === service);
      expect(own.map(({ path }) => path).toSorted(), service).toEqual(paths.toSorted());
    }
  },
);

const numbers = Array.from({ length: 20 }, (_, index) => index);
