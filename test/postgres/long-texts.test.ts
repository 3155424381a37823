/** A row of PostgreSQL's usual index has room for 2,700 bytes. Texts of clients may be longer, and are stored all the same. */
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import type { FileEventPage } from "../../server/contract/app/file-events.ts";
import { consoleToken, startTestApp, type TestApp } from "../support/app/test-app.ts";
import { connectTo } from "../support/store/postgres-server.ts";
import { databaseName } from "../support/store/test-database.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const headers = { Authorization: `Bearer ${consoleToken}` };
/** Random, because the database compresses what it can. */
const randomText = (length: number) => randomBytes(length).toString("base64url").slice(0, length);

let app: TestApp;
const files = temporaryFolder();
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  files[Symbol.dispose]();
});

it("a file event is stored whatever its path's length, and found by the path and by a folder above it", async () => {
  const folder = `/${randomText(4_000)}`;
  const paths = [`/${randomText(32_766)}`, folder, `${folder}/${randomText(20_000)}`, `${folder}0`];
  for (const df of paths) {
    const body = new URLSearchParams({ df, ev: "modify" });
    expect((await fetch(`${app.url}/api/inotify/`, { method: "POST", body })).status).toBe(202);
  }
  const page = await fetch(`${app.url}/console/api/file-events?path=${folder}`, { headers });
  const { events } = (await page.json()) as FileEventPage;
  expect(events.map(({ df }) => df)).toEqual([paths[2], folder]);
});

it("the file events of a path and of a folder are looked for in the index", async () => {
  const plan = await app.db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    const found = sql<Record<string, string>>`explain select ev from file_events
      where df = '/a' or (df >= '/a/' and df < '/a0')`;
    return (await found.execute(trx)).rows.map((row) => row["QUERY PLAN"] ?? "");
  });
  expect(plan.filter((line) => line.includes("Index Scan on file_events_by_path"))).toHaveLength(2);
});

it("a folder is watched once, whatever its path's length", async () => {
  const path = join(files.path, ...Array.from({ length: 15 }, () => randomText(240)));
  await mkdir(path, { recursive: true });
  const watch = () => app.post(`${app.url}/console/api/watched-folders`, { path }, headers);
  expect([(await watch()).status, (await watch()).status]).toEqual([201, 409]);
});

it("a payment call is logged, however long the numbers in it are, with all that are logged together with it", async () => {
  const call = (number: string) =>
    fetch(`${app.provider.url}/pay/orderquery`, {
      method: "POST",
      body: `<xml><mch_id>${number}</mch_id><out_trade_no>${number}</out_trade_no><sign>x</sign></xml>`,
    });
  await Promise.all([call(randomText(10_000)), call("short")]);
  await using client = await connectTo(inject("postgres") ?? "", databaseName(app.folder));
  const logged = async () =>
    (await client.query("select out_trade_no from hearth_provider.pay_calls where out_trade_no <> ''")).rowCount;
  await expect.poll(logged).toBe(2);
});
