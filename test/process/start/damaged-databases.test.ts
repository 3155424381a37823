/** A database that cannot be used is told in words, with the file and the way on; nothing of it is changed. */
import {
  closeSync,
  cpSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consoleOf } from "../../support/console/console-scene.ts";
import { forkApp } from "../../support/process/forked-app.ts";
import { launchHearth } from "../../support/process/launch.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { Sqlite } from "../../../server/store/native-sqlite.ts";

/** What a killed run has left; each test has a copy of it. */
const left = temporaryFolder();
let data: ReturnType<typeof temporaryFolder>;
const at = (name: string) => join(data.path, name);

beforeAll(async () => (await forkApp(left.path)).kill());
afterAll(() => left[Symbol.dispose]());
beforeEach(() => {
  data = temporaryFolder();
  cpSync(left.path, data.path, { recursive: true });
});
afterEach(() => data[Symbol.dispose]());

/** Makes the main database larger, and closes it. */
function fill(): void {
  const sqlite = new Sqlite(at("hearth.db"));
  const insert = sqlite.prepare("insert into events (source, type, time, data) values ('/test', 'test', 0, ?)");
  sqlite.transaction(() => {
    for (let i = 0; i < 500; i++) insert.run(["x".repeat(2_000)]);
  })();
  sqlite.close();
}

/** A process that was killed leaves the journal behind. */
function endUncleanly(): void {
  const sqlite = new Sqlite(at("hearth.db"));
  sqlite.pragma("journal_mode = WAL");
  sqlite.exec("delete from events where id = 1");
  for (const end of ["", "-wal"]) copyFileSync(at(`hearth.db${end}`), at(`copy${end}`));
  sqlite.close();
  for (const end of ["", "-wal"]) copyFileSync(at(`copy${end}`), at(`hearth.db${end}`));
}

function garbleMiddle(name: string): void {
  const file = openSync(at(name), "r+");
  const pageSize = 4096;
  const middle = Math.floor(statSync(at(name)).size / pageSize / 2) * pageSize;
  writeSync(file, Buffer.alloc(8 * pageSize, 0xa7), 0, 8 * pageSize, middle);
  closeSync(file);
}

/** How a start over the data directory ends. */
async function refusal(): Promise<string> {
  await using hearth = launchHearth({ dataDir: data.path });
  expect(await hearth.exited).toBe(1);
  return hearth.output();
}

describe("a start", () => {
  it.each(["hearth.db", "provider.db"])("is refused when %s is not a database", async (name) => {
    for (const end of ["-wal", "-shm"]) rmSync(at(`${name}${end}`), { force: true });
    writeFileSync(at(name), "not a database ".repeat(1_000));
    const output = await refusal();
    expect(output).toContain(`${at(name)} is damaged (file is not a database)`);
    expect(output).toContain("restore a copy, or move the file");
    expect(output).not.toContain("    at ");
    expect(readFileSync(at(name), "utf8")).toBe("not a database ".repeat(1_000));
  });

  it("is refused over one of a newer Hearth", async () => {
    const sqlite = new Sqlite(at("hearth.db"));
    sqlite.exec("insert into kysely_migration values ('9999_later', '2030-01-01')");
    sqlite.close();
    const output = await refusal();
    expect(output).toContain(`a newer Hearth created ${at("hearth.db")} (unknown migration 9999_later`);
    expect(output).not.toContain("damaged");
  });

  it("is refused over one of a trial version from before 0.1.0, with the way out", async () => {
    const sqlite = new Sqlite(at("hearth.db"));
    sqlite.exec("update kysely_migration set name = '0' || name");
    sqlite.close();
    const output = await refusal();
    expect(output).toContain(`a trial version before Hearth 0.1.0 created ${at("hearth.db")}`);
    expect(output).toContain("choose another folder with --data-dir");
  });

  it("is refused over pages that are damaged when the last run was killed", async () => {
    fill();
    endUncleanly();
    garbleMiddle("hearth.db");
    expect(await refusal()).toContain(`${at("hearth.db")} is damaged (`);
  });

  it("checks the databases in the background and reports damage", async () => {
    fill();
    garbleMiddle("hearth.db");
    await using hearth = launchHearth({ dataDir: data.path });
    const { get } = consoleOf(await hearth.ready());
    await hearth.prints(`${at("hearth.db")} is damaged (`);
    const words = {
      file: at("hearth.db"),
      text: expect.stringMatching(/is damaged \(.*restore a copy/) as string,
    };
    expect(await get("/overview")).toMatchObject({ damage: [words] });
    await expect.poll(() => get("/events?type=database.damaged")).toMatchObject({ events: [{ data: words }] });
  });

  it("sets damaged recorded requests aside, reports it, and records anew", async () => {
    for (const end of ["-wal", "-shm"]) rmSync(at(`requests.db${end}`), { force: true });
    writeFileSync(at("requests.db"), "not a database ".repeat(1_000));
    await using hearth = launchHearth({ dataDir: data.path });
    const { get } = consoleOf(await hearth.ready());
    const kept = { file: at("requests.db.broken"), text: expect.stringContaining("a new file was started") as string };
    expect(await get("/overview")).toMatchObject({ damage: [kept] });
    await hearth.prints(`are kept as ${at("requests.db")}.broken`);
    hearth.child.kill("SIGTERM");
    await hearth.exited;
    expect([existsSync(at("requests.db.broken")), hearth.output().includes("is damaged")]).toEqual([true, false]);
  });
});
