/** A backup that somebody else has made to get into this machine, or to have it send something. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { openKeyFile } from "../../../server/process/keys/key-file.ts";
import { backupScene, filesIn, forgeBackup, put } from "../../support/app/backup-scene.ts";
import { forkApp } from "../../support/process/forked-app.ts";
import { runCommand } from "../../support/process/run-command.ts";

const scene = backupScene();
const { backUp, newData, newFolder } = scene;
afterAll(() => scene[Symbol.dispose]());

function change(folder: string, database: string, ...statements: string[]): void {
  // Its schema can be written.
  const sqlite = new DatabaseSync(join(folder, database), { defensive: false });
  try {
    for (const statement of statements) sqlite.exec(statement);
  } finally {
    sqlite.close();
  }
}

/** The path of a backup, with what `prepare` has changed in a data directory. Hearth itself might not back that up. */
async function craft(prepare: (folder: string) => void): Promise<string> {
  const data = await newData();
  const { path } = await backUp(data);
  prepare(data);
  const names = ["hearth.db", "provider.db", config].filter((name) => existsSync(join(data, name)));
  const crafted = join(newFolder(), "crafted.tar");
  await forgeBackup(path, crafted, Object.fromEntries(names.map((name) => [name, readFileSync(join(data, name))])));
  return crafted;
}

const config = "hearth.config.json";
const restore = (file: string, to: string, ...flags: string[]) =>
  runCommand(["restore", file, "--data-dir", to, ...flags]);
const settingsIn = (folder: string) => JSON.parse(readFileSync(join(folder, config), "utf8")) as unknown;

describe("hearth restore of a foreign backup", () => {
  it("leaves the door to the local network shut, and lets no device, no key and no browser in", async () => {
    const cookie = "a-cookie-that-they-know";
    const hash = createHash("sha256").update(cookie).digest("hex");
    const file = await craft((data) =>
      change(
        data,
        "hearth.db",
        "insert into lan_access values (1, 1, null, 'app,model,provider', '10.0.0.2/24')",
        "insert into lan_devices values ('d', 'theirs', '10.0.0.9', '10.0.0.2/24', null, 1, 1)",
        `insert into console_browsers values ('b', '${hash}', 'theirs', null, ${String(Date.now())}, 1)`,
      ),
    );
    const to = newFolder();
    const { secret } = await openKeyFile(to).add({ name: "old", scopes: ["control"], limits: {} });
    const done = await restore(file, to, "--trust-settings");
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toContain("devices, keys and browser logins were removed");
    await using app = await forkApp(to);
    expect(await (await app.console("/lan-access")).json()).toMatchObject({ enabled: false, devices: [] });
    const withCookie = await fetch(`${app.consoleUrl}/console/api/settings`, {
      headers: { cookie: `hearth_console_1=${cookie}` },
    });
    expect(withCookie.status).toBe(401);
    const withKey = await fetch(`${app.url}/console/api/settings`, { headers: { authorization: `Bearer ${secret}` } });
    expect(withKey.status).toBe(401);
  });

  const hostile = {
    data_dir: "/home/them/hearth",
    host: "0.0.0.0",
    allowed_hosts: ["*"],
    update_url: "https://them.example/feed",
    upstreams: ["gpu=https://them.example?key_env=AWS_SECRET_ACCESS_KEY"],
    upstream_keys: "gpu=0123",
    registry_mirror: "https://them.example",
    identity_base_url: "https://them.example",
    cors_origins: ["*"],
    routes_file: "/home/you/secrets.json",
    ready_file: "/home/you/.profile",
    no_setting: true,
  };

  it("leaves settings aside that open, send, read or run something, and lists them", async () => {
    const file = await craft((data) => put(data, config, JSON.stringify({ json_indent: 2, ...hostile })));
    const to = newFolder();
    const done = await restore(file, to);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(settingsIn(to)).toEqual({ json_indent: 2 });
    for (const name of Object.keys(hostile)) expect(done.stdout).toContain(`\n  ${name} `);
    expect(done.stdout).toContain('host "0.0.0.0" (opens Hearth to others)');
    expect(done.stdout).toContain("restore again with --trust-settings");
    expect(done.stdout).not.toContain("gpu=0123");
    expect(await runCommand(["doctor", "--quick", "--data-dir", to])).not.toMatchObject({ code: 2 });
  });

  it("takes settings over that the data directory has already, and all of them with --trust-settings", async () => {
    const said = { host: "0.0.0.0", allowed_hosts: ["hearth.lan"], json_indent: 2 };
    const file = await craft((data) => put(data, config, JSON.stringify(said)));
    const [same, other] = [newFolder(), newFolder()];
    put(same, config, JSON.stringify({ ...said, json_indent: 4 }));
    const quiet = await restore(file, same);
    expect([quiet.code, settingsIn(same)]).toEqual([0, said]);
    expect(quiet.stdout).not.toContain("ignored, because");
    const trusted = await restore(file, other, "--trust-settings");
    expect([trusted.code, settingsIn(other)]).toEqual([0, said]);
    expect(trusted.stdout).not.toContain("ignored, because");
  });

  it("leaves a merchant aside whose key file it leaves aside, so that a start is possible", async () => {
    const merchant = {
      payment_version: "v3",
      payment_mch_id: "1",
      payment_app_id: "wx1",
      payment_api_v3_key: "k".repeat(32),
      payment_merchant_serial: "1A",
      payment_merchant_key_file: "/home/them/key.pem",
    };
    const file = await craft((data) => put(data, config, JSON.stringify(merchant)));
    const to = newFolder();
    const done = await restore(file, to);
    expect([done.code, settingsIn(to)]).toEqual([0, { payment_version: "v3" }]);
    expect(done.stdout).not.toContain("k".repeat(32));
  });

  it("keeps who must send a key as it is here, and puts nothing at the console's port", async () => {
    const file = await craft((data) =>
      put(data, config, JSON.stringify({ require_keys: "auto", app_port: 4082, provider_port: 4081 })),
    );
    const [set, unset] = [newFolder(), newFolder()];
    put(set, config, JSON.stringify({ require_keys: "always", console_port: 4082 }));
    const done = await restore(file, set);
    expect([done.code, settingsIn(set)]).toEqual([0, { require_keys: "always", provider_port: 4081 }]);
    for (const name of ["require_keys", "app_port"]) expect(done.stdout).toContain(`\n  ${name} `);
    expect((await restore(file, unset)).code).toBe(0);
    expect(settingsIn(unset)).toEqual({ app_port: 4082, provider_port: 4081 });
  });

  it("takes over nothing of settings that lie too deep within each other", async () => {
    const file = await craft((data) => put(data, config, `{"host":${"[".repeat(100_000)}${"]".repeat(100_000)}}`));
    const to = newFolder();
    const done = await restore(file, to);
    expect([done.code, settingsIn(to)]).toEqual([0, {}]);
    expect(done.stdout).toContain("  hearth.config.json, which is unreadable\n");
  });

  it("takes over nothing of settings that cannot be read", async () => {
    const file = await craft((data) => put(data, config, '{"host":'));
    const to = newFolder();
    const done = await restore(file, to);
    expect([done.code, settingsIn(to)]).toEqual([0, {}]);
    expect(done.stdout).toContain("  hearth.config.json, which is unreadable\n");
  });

  it("pauses the watches of folders that it names", async () => {
    const watched = newFolder();
    const file = await craft((data) =>
      change(
        data,
        "hearth.db",
        `insert into watched_folders (path, exclude, paused, created_at) values ('${watched}', '[]', 0, 1)`,
      ),
    );
    const to = newFolder();
    const done = await restore(file, to);
    expect(done.stdout).toContain("  its watched folders, which are paused");
    await using app = await forkApp(to);
    expect(await (await app.console("/watched-folders")).json()).toMatchObject({
      folders: [{ path: watched, state: "paused" }],
    });
  });

  it.each([
    ["hearth.db", "trigger spy", "create trigger spy after insert on sessions begin delete from users; end"],
    ["provider.db", "trigger spy", "create trigger spy after insert on pay_orders begin delete from sim_users; end"],
    ["hearth.db", "view spy", "create view spy as select * from users"],
    ["hearth.db", "table real", "alter table users rename to real", "create view users as select * from real"],
    [
      "hearth.db",
      "table kysely_migration",
      "drop table kysely_migration",
      "create view kysely_migration as with recursive n(i) as (select 1 union all select i + 1 from n) select i as name, i as timestamp from n",
    ],
    ["hearth.db", "table spy", "create virtual table spy using fts5(text)"],
    ["hearth.db", "table uploads", "alter table uploads add column spy as (hex(zeroblob(9999999)))"],
    ["hearth.db", "index spy", "create index spy on users (hex(zeroblob(100000)) || id)"],
    ["hearth.db", "index uploads_by_content", "drop index uploads_by_content"],
    [
      "hearth.db",
      "trigger spy",
      "pragma writable_schema = on",
      "insert into sqlite_master values ('trigger', 'spy', 'users', 0, 'create trigger spy after insert on users begin delete from users; end')",
    ],
  ])("refuses %s with a foreign or missing %s, and changes nothing", async (database, entry, ...statements) => {
    const file = await craft((data) => change(data, database, ...statements));
    const to = newFolder();
    writeFileSync(join(to, "routes.json"), "{}");
    const refused = await restore(file, to, "--trust-settings");
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain(`its database ${database} has an unexpected ${entry}`);
    expect(Object.keys(filesIn(to)).toSorted()).toEqual(["lock.db", "routes.json", "services.lock"]);
  });
});
