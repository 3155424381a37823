/** `hearth migrate`: what a laptop had is there on PostgreSQL, and goes on. */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it, vi } from "vitest";
import { appMigrations } from "../../server/app/app-migrations.ts";
import { openDatabase } from "../../server/store/postgres/open-database.ts";
import { openDatabase as openFile } from "../../server/store/sqlite/open-database.ts";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { connectTo } from "../support/store/postgres-server.ts";
import { testDatabaseUrl } from "../support/store/test-database.ts";
import { commandHere } from "../support/command-here.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const data = async <Data>(response: Promise<Response>) => ((await (await response).json()) as { data: Data }).data;

async function fill(app: TestApp) {
  const headers = await app.loggedIn();
  const article = await data<{ id: number }>(
    app.post(`${app.url}/api/articles`, { title: "é ü 图\u0000", body: "from the laptop" }, headers),
  );
  const form = new FormData();
  form.append("type", "image");
  form.append("[]", new Blob([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")]), "dot.png");
  const upload = await (await fetch(`${app.url}/api/uploads`, { method: "POST", headers, body: form })).json();
  const order = await data<{ id: number; out_trade_no: string }>(
    app.post(`${app.url}/api/orders`, { description: "Tea", amount: 199 }, headers),
  );
  return { headers, article, upload: upload as { success: boolean; id: string }, order };
}

/** Neither of the commands takes the files for the data, in this environment, nor tells a password. */
async function expectNoBackup(dataDir: string, env: NodeJS.ProcessEnv): Promise<void> {
  const errors: string[] = [];
  const print = vi.spyOn(process.stderr, "write").mockImplementation((text) => Boolean(errors.push(String(text))));
  const argv = [join(dataDir, "backup.tar"), "--data-dir", dataDir];
  const codes = [await commandHere(["backup", ...argv], { env }), await commandHere(["restore", ...argv], { env })];
  print.mockRestore();
  expect(codes).toEqual([1, 1]);
  expect(errors.join("")).toMatch(
    /hearth backup supports only SQLite.*pg_dump.*hearth restore supports only SQLite.*pg_dump/s,
  );
  expect(errors.join("")).not.toContain("never-to-be-shown");
}

describe("hearth migrate --to URL", () => {
  it("copies sessions, articles, uploads, orders and the simulator's ledger, and ids go on after the highest", async () => {
    using folder = temporaryFolder();
    const before = await startTestApp({ folder: folder.path, settings: { database_url: undefined } });
    const { headers, article, upload, order } = await fill(before);
    expect(upload.success).toBe(true);
    await before[Symbol.asyncDispose]();
    // As a restore leaves them that was killed before it put them in place.
    const placing = join(folder.path, "backups", "restore-begun", "placing");
    mkdirSync(placing, { recursive: true });
    for (const name of ["hearth.db", "provider.db", "uploads"])
      renameSync(join(folder.path, name), join(placing, name));

    const name = `migrated-${randomUUID()}`;
    const url = (await testDatabaseUrl(name)) ?? "";
    const written: string[] = [];
    const print = vi.spyOn(process.stdout, "write").mockImplementation((text) => Boolean(written.push(String(text))));
    const migrate = () => commandHere(["migrate", "--data-dir", folder.path], { env: { HEARTH_DATABASE_URL: url } });
    // The commit of the application server's tables fails, as where the connection ends at it.
    await (await openDatabase({ url, schema: "hearth", migrations: appMigrations })).close();
    await using client = await connectTo(inject("postgres") ?? "", name);
    await client.query(`create function hearth.refuse() returns trigger language plpgsql as $$ begin
      raise exception 'no commit'; end $$`);
    await client.query(`create constraint trigger refused after insert on hearth.users
      deferrable initially deferred for each row execute function hearth.refuse()`);
    await expect(migrate()).rejects.toThrow("no commit");
    await client.query("drop trigger refused on hearth.users");
    expect(await migrate().finally(() => print.mockRestore())).toBe(0);
    expect(written.join("")).toMatch(/copied \d+ rows of the application server and \d+ of the simulator/);
    expect(written.join("")).not.toContain("never-to-be-shown");
    await expectNoBackup(folder.path, {});

    await using after = await startTestApp({ folder: folder.path, settings: { database_url: url } });
    const get = (path: string) => fetch(`${after.url}${path}`, { headers });
    expect(await data(get(`/api/articles/${String(article.id)}`))).toMatchObject({ body: "from the laptop" });
    expect((await get(`/api/uploads/${upload.id}`)).status).toBe(200);
    await after.post(`${after.provider.url}/sim/orders/${order.out_trade_no}/pay`);
    await expect.poll(() => data(get(`/api/orders/${String(order.id)}`))).toMatchObject({ trade_state: "SUCCESS" });
    const next = await data<{ id: number }>(
      after.post(`${after.url}/api/orders`, { description: "Milk", amount: 99 }, headers),
    );
    expect(next.id).toBe(order.id + 1);
    await expect(migrate()).rejects.toThrow("already contains rows");
  });

  it("leaves the files of an older Hearth as they are", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "hearth.db");
    const older = Object.fromEntries(Object.entries(appMigrations).toSorted().slice(0, -1));
    await (await openFile({ file, migrations: older })).close();
    const before = readFileSync(file);
    const url = (await testDatabaseUrl(`migrated-${randomUUID()}`)) ?? "";
    const print = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    expect(await commandHere(["migrate", "--data-dir", folder.path, "--to", url])).toBe(0);
    print.mockRestore();
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(join(folder.path, "provider.db"))).toBe(false);
    expect(readdirSync(join(folder.path, "backups"))).toEqual([]);
  });
});

it("hearth backup and hearth restore know a database by the environment, too", async () => {
  using folder = temporaryFolder();
  await expectNoBackup(folder.path, { HEARTH_DATABASE_URL: "postgres://hearth:never-to-be-shown@localhost/hearth" });
});
