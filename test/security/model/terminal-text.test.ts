/** What others name and say reaches a terminal as text, never as something that it obeys. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtCommand, launchHearth, plainEnvironment } from "../../support/process/launch.ts";
import { listen } from "../../support/process/listen.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { eventually } from "../../support/eventually.ts";

/** Clears the screen, by seven bits and by eight; turns text around; writes over its line. */
const hostile = "x\u001b[2J\u009b2J\u202ey\rz";
const shown = "x\\u001b[2J\\u009b2J\\u202ey\\rz";
// oxlint-disable-next-line no-control-regex -- they are what this is about
const obeyed = /[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/g;

/** What a command printed on both streams. */
async function printedBy(args: readonly string[], dataDir: string): Promise<string> {
  const { stdout, stderr } = await runCommand(args, { HEARTH_DATA_DIR: dataDir });
  return stdout + stderr;
}

function expectHarmless(printed: string): void {
  expect(printed).toContain(shown);
  expect(printed.match(obeyed)).toBeNull();
}

describe("terminal control characters", () => {
  it("are escaped in the names of watched folders and files", async () => {
    using folder = temporaryFolder();
    const dir = join(folder.path, hostile);
    mkdirSync(dir);
    const args = [builtCommand, "watch", dir, "--to", "http://127.0.0.1:1/", "--data-dir", join(folder.path, "data")];
    const watch = spawn(process.execPath, args, { env: plainEnvironment(), stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [watch.stdout, watch.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
    const ended = once(watch, "close");
    try {
      await eventually(() => expect(printed).toContain("watching"));
    } finally {
      watch.kill("SIGTERM");
      await ended;
    }
    expectHarmless(printed);
  });

  it.each([[[]], [["--json"]]])("are escaped in the log of a run, with the flags %j", async (flags) => {
    using folder = temporaryFolder();
    await using hearth = launchHearth({ flags, dataDir: join(folder.path, hostile) });
    await hearth.ready();
    await hearth.prints(shown);
    hearth.child.kill("SIGTERM");
    await hearth.exited;
    expectHarmless(hearth.output());
  });

  it("are escaped in the names and progress of models, and in refusals of the model service", async () => {
    using folder = temporaryFolder();
    const texts = {
      parent_model: "",
      format: "gguf",
      family: hostile,
      parameter_size: "1B",
      quantization_level: hostile,
    };
    const details = { ...texts, families: null };
    const modified_at = "2026-11-20T08:00:00Z";
    const models = [{ name: hostile, model: hostile, digest: "0".repeat(64), size: 1, modified_at, details }];
    await using service = await listen((request, response) => {
      if (request.url === "/api/tags") response.end(JSON.stringify({ models }));
      else if (request.url === "/api/pull") response.end(`${JSON.stringify({ status: hostile })}\n`);
      else response.writeHead(400).end(JSON.stringify({ error: hostile }));
    });
    const { port } = new URL(service.url);
    for (const args of [["list"], ["pull", "some"], ["rm", "some"]])
      expectHarmless(await printedBy([...args, "--model-port", port], folder.path));
  });

  it("are escaped in the report of a receiver check, and in refusals of the simulator", async () => {
    using folder = temporaryFolder();
    const check = {
      id: 1,
      state: "done",
      orders: { from: "simulator" },
      asks_status: false,
      started_at: "2026-11-20T08:00:00Z",
      planned: ["genuine"],
      results: [],
      counts: { pass: 0, fail: 1, not_judged: 0 },
    };
    const said = { name: hostile, seen: hostile, failings: [hostile], sent: hostile, right: hostile, why: hostile };
    const result = {
      row: "genuine",
      verdict: "fail",
      ...said,
      queries: 0,
      deliveries: [],
      exchanges: [],
      duration_ms: 1,
    };
    const lines = [
      { type: "started", check },
      { type: "result", result },
      { type: "ended", check: { ...check, problem: hostile } },
    ];
    await using simulator = await listen((_request, response) =>
      response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
    );
    await using refusing = await listen((_request, response) =>
      response.writeHead(409).end(JSON.stringify({ Message: hostile })),
    );
    for (const { url } of [simulator, refusing])
      expectHarmless(
        await printedBy(["check-receiver", "--notify-url", "http://127.0.0.1:1/", "--provider-url", url], folder.path),
      );
  });

  it("are escaped in a command line that is refused", async () => {
    using folder = temporaryFolder();
    using watched = temporaryFolder();
    for (const args of [[hostile], [`--${hostile}`], ["watch", watched.path, "--to", hostile]])
      expectHarmless(await printedBy(args, folder.path));
  });
});
