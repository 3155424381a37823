import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openRequestStore } from "../../server/store/request-store.ts";
import { plainEnvironment } from "../support/launch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const main = fileURLToPath(new URL("../../server/main.ts", import.meta.url));

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

it("what was requested up to the end of a run is recorded, and there in the next run", async () => {
  using folder = temporaryFolder();
  const requests = (url: string, from: number) =>
    Promise.all(Array.from({ length: 20 }, (_, index) => fetch(`${url}/n/${String(from + index)}`)));
  expect(await withApp(folder.path, (url) => requests(url, 0))).toBe(0);
  expect(await withApp(folder.path, (url) => requests(url, 20))).toBe(0);
  const store = openRequestStore(join(folder.path, "requests.db"), { maxRows: 1000, maxBytes: 1e9 });
  const rows = await store.find({ limit: 100 });
  store.close();
  expect(rows.map(({ path }) => path).toSorted()).toEqual(
    Array.from({ length: 40 }, (_, index) => `/n/${String(index)}`).toSorted(),
  );
  expect(new Set(rows.map(({ id }) => id)).size).toBe(40);
});
