import { describe, expect, it, vi } from "vitest";
import { Recorder } from "../../../server/app/requests/recorder.ts";
import { secretNamesOf } from "../../../server/app/requests/secrets/secret-names.ts";
import { textFormOf, replaceSecrets } from "../../../server/app/requests/secrets/secret-text.ts";
import { createSecretVault } from "../../../server/app/requests/secrets/secret-vault.ts";
import type { Exchange } from "../../../server/http/recording/request-recorder.ts";
import { collectGarbage } from "../../../server/process/collect-garbage.ts";
import type { RequestRow } from "../../../server/app/requests/store/request-rows.ts";
import type { RequestStore } from "../../../server/app/requests/store/request-store.ts";
import { createLog } from "../../../server/process/log.ts";
import { newSpan, runInSpan } from "../../../server/trace/span.ts";
import { recordedLog } from "../../support/quiet-log.ts";
import { eventually } from "../../support/eventually.ts";

const body = (text = "") => ({ chunks: text === "" ? [] : [text], kept: text.length, size: text.length });
const exchange = (target: string, text = ""): Exchange => ({
  service: "app",
  time: 0,
  ms: 1,
  method: "GET",
  target,
  requestHeaders: ["X-Request-Id", target],
  requestBody: body(),
  client: "127.0.0.1",
  status: 200,
  responseHeaders: {},
  responseBody: body(text),
  complete: true,
  notes: {},
});

/** A recorder over a store that keeps rows in an array, or fails. */
function setUp(written = recordedLog()) {
  const stored: RequestRow[] = [];
  const batches: number[] = [];
  const disk = { full: false };
  const store = {
    insert(rows: readonly RequestRow[]) {
      if (disk.full) throw new Error("the disk is full");
      stored.push(...rows);
      batches.push(rows.length);
    },
    totals: () => ({ rows: stored.length, bytes: 0, newestId: stored.at(-1)?.id ?? 41 }),
  } as unknown as RequestStore;
  const { log, lines } = written;
  const hiding = { secretNames: secretNamesOf(() => []), vault: createSecretVault(), consoleToken: "the run's token" };
  return { stored, batches, disk, lines, recorder: new Recorder({ store, hiding, log, now: Date.now }) };
}

describe("the recorder", () => {
  it("stores soon what it has taken, in order, and notifies of it", async () => {
    const { recorder, stored } = setUp();
    const changed = vi.fn();
    recorder.onChange(changed);
    for (let i = 0; i < 450; i++) recorder.take(exchange(`/${String(i)}`));
    expect(stored).toEqual([]);
    await eventually(() => expect(stored).toHaveLength(450));
    expect(stored.map(({ id }) => id)).toEqual(stored.map((_, index) => 42 + index));
    expect(stored.map(({ path }) => path)).toEqual(stored.map((_, index) => `/${String(index)}`));
    expect(changed).toHaveBeenCalled();
  });

  it("logs outside of the trace of the request that it stores", async () => {
    const lines: string[] = [];
    const log = createLog("app", { log_level: "info" }, { write: (line) => void lines.push(line) });
    const { recorder, disk } = setUp({ log, lines });
    disk.full = true;
    runInSpan(newSpan(), () => recorder.take(exchange("/a")));
    await eventually(() => expect(lines).toHaveLength(1));
    expect(lines[0]).not.toContain("trace_id");
  });

  it("stores large bodies a few in a turn, so that other calls go on between them", async () => {
    const { recorder, stored, batches } = setUp();
    recorder.onChange(() => void recorder.flush()); // as one who waits for a call does
    for (let i = 0; i < 20; i++) recorder.take(exchange(`/${String(i)}`, "x".repeat(256 * 1024)));
    await eventually(() => expect(stored).toHaveLength(20));
    expect(Math.max(...batches)).toBe(4);
  });

  it("drops the oldest that wait, and counts them, when they come faster than they can be stored", async () => {
    const { recorder, stored } = setUp();
    for (let i = 0; i < 10_000; i++) recorder.take(exchange(`/${String(i)}`));
    await recorder.flush();
    expect(stored.at(-1)?.path).toBe("/9999");
    expect(stored.length).toBeLessThanOrEqual(4_000);
    expect(stored.length + recorder.state().dropped).toBe(10_000);
  });

  it("bounds what waits by its bytes too", async () => {
    const { recorder, stored } = setUp();
    const large = "x".repeat(256 * 1024);
    for (let i = 0; i < 1_000; i++) recorder.take(exchange(`/${String(i)}`, large));
    await recorder.flush();
    expect(stored.length).toBeLessThanOrEqual(256);
    expect(stored.length + recorder.state().dropped).toBe(1_000);
  });

  it("goes on when nothing can be stored, counts what is lost, and says so once", async () => {
    const { recorder, stored, disk, lines } = setUp();
    disk.full = true;
    for (let i = 0; i < 500; i++) recorder.take(exchange("/lost"));
    await recorder.flush();
    expect([recorder.state().dropped, lines.length]).toEqual([500, 1]);
    expect(lines[0]).toContain("the disk is full");
    disk.full = false;
    recorder.take(exchange("/kept"));
    await recorder.flush();
    expect(stored.map(({ path }) => path)).toEqual(["/kept"]);
  });

  it("links a replay to its original, and returns the id of its record", async () => {
    const { recorder, stored } = setUp();
    const id = recorder.expect("/replayed", 7);
    recorder.take(exchange("/other"));
    recorder.take(exchange("/replayed"));
    await recorder.flush();
    expect(await id).toBe(stored[1]?.id);
    expect(stored.map((row) => row.replay_of)).toEqual([null, 7]);
  });
});

describe("the vault of secrets", () => {
  it("gives the value back for its reference, and none of another run or name", () => {
    const vault = createSecretVault();
    const reference = vault.keep("password", "tresure");
    expect(reference).toMatch(/^\{\{password:[\w.]+\}\}$/);
    expect(vault.keep("password", "tresure")).toBe(reference);
    expect([vault.find(reference), createSecretVault().find(reference), vault.find(`${reference} `)]).toEqual([
      "tresure",
      undefined,
      undefined,
    ]);
  });

  it("forgets the ones kept longest when they are too much, however small", () => {
    const vault = createSecretVault(2000);
    const references = Array.from({ length: 30 }, (_, index) => vault.keep("code", String(index).padEnd(100, "x")));
    expect(references.map((one) => vault.find(one) !== undefined).indexOf(true)).toBe(20);
    const pins = Array.from({ length: 5000 }, (_, index) => vault.keep("pin", String(index)));
    expect(pins.filter((one) => vault.find(one) !== undefined).length).toBeLessThan(50);
  });

  it("keeps secrets and names, not the texts that they came in", async () => {
    const vault = createSecretVault();
    const { field } = secretNamesOf(() => [])("app", "/");
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 200; i++) {
      const text = Buffer.alloc(
        1_000_000,
        `{"${String(i)}, a long password":"secret of text ${String(i)}"}`,
      ).toString();
      replaceSecrets(text.slice(0, 60), textFormOf("application/json", text), field, (name, raw) =>
        vault.keep(name, raw),
      );
    }
    await eventually(() => {
      collectGarbage();
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
    });
    expect(field("1, a long password")).toBe(true);
    expect(vault.find(vault.keep("password", '"secret of text 1"'))).toBe('"secret of text 1"');
  });
});
