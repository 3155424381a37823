/** Two application servers that share a database: what happens at one holds at the other. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { KeyedMutex, StillBusy } from "../../server/app/payments/orders/keyed-mutex.ts";
import type { CloudEvent } from "../../server/contract/console/traffic/stored-event.ts";
import { openInstances } from "../../server/store/postgres/instances.ts";
import { openDatabase } from "../../server/store/postgres/open-database.ts";
import type { Database } from "../../server/store/database.ts";
import { consoleToken } from "../support/app/console-token.ts";
import { callConsole } from "../support/app/control-calls.ts";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { eventually } from "../support/eventually.ts";
import { databaseUrl } from "../support/store/postgres-server.ts";
import { cutConnections, testDatabaseUrl } from "../support/store/test-database.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const database = `instances-${randomUUID()}`;
let url: string;
let one: TestApp;
let other: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  url = (await testDatabaseUrl(database)) ?? "";
  const settings = { database_url: url, raffle_draw_ms: 5 };
  one = await startTestApp({ settings });
  other = await startTestApp({ settings, provider: one.provider });
  headers = await one.loggedIn();
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
});

const asConsole = { Authorization: `Bearer ${consoleToken}` };
const data = async <Data>(response: Promise<Response>) => ((await (await response).json()) as { data: Data }).data;

describe("two application servers on one database", () => {
  it("know each other's sessions, and what is stored", async () => {
    const made = await data<{ id: number }>(
      one.post(`${one.url}/api/articles`, { title: "shared", body: "c" }, headers),
    );
    const read = await fetch(`${other.url}/api/articles/${String(made.id)}`, { headers });
    expect(read.status).toBe(200);
    await fetch(`${other.url}/api/articles/${String(made.id)}`, { method: "DELETE", headers });
    expect((await fetch(`${one.url}/api/articles/${String(made.id)}`, { headers })).status).toBe(404);
  });

  it("send the events of both to whoever listens at one of them, each once and in order", async () => {
    const stop = new AbortController();
    const stream = await fetch(`${other.url}/console/api/events/stream`, { headers: asConsole, signal: stop.signal });
    const write = async (app: TestApp, title: string) =>
      (await app.post(`${app.url}/api/articles`, { title, body: "c" }, headers)).status;
    const writing = Promise.all(
      Array.from({ length: 40 }, (_, i) => write(i % 2 === 0 ? one : other, `n${String(i)}`)),
    );
    const ids: number[] = [];
    let text = "";
    for await (const chunk of (stream.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      const frames = (text + chunk).split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) {
        const event = /^id: /m.test(frame) ? /^data: (.*)$/m.exec(frame)?.[1] : undefined;
        if (event !== undefined && (JSON.parse(event) as CloudEvent).type === "resource.created")
          ids.push(Number((JSON.parse(event) as CloudEvent).id));
      }
      if (ids.length === 40) break;
    }
    stop.abort();
    expect(new Set(await writing)).toEqual(new Set([201]));
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  it("draw each prize of a raffle once, and tell those who come meanwhile to come again", async () => {
    const prizes = 5;
    const entries = Array.from({ length: 20 }, (_, i) => `e${String(i)}`);
    const raffle = await data<{ id: number }>(
      one.post(`${one.url}/api/raffles`, { title: "r", entries, prizes }, headers),
    );
    const seen: number[] = [];
    // Those that come after the last prize has been drawn are told so.
    while (!seen.includes(403)) {
      const draws = Array.from({ length: 20 }, async (_, i) => {
        const app = i % 2 === 0 ? one : other;
        return (await app.post(`${app.url}/api/raffles/${String(raffle.id)}/draws`, undefined, headers)).status;
      });
      seen.push(...(await Promise.all(draws)));
    }
    const { winners } = await data<{ winners: { prize: number; entry: number }[] }>(
      fetch(`${other.url}/api/raffles/${String(raffle.id)}`, { headers }),
    );
    expect(winners.map(({ prize }) => prize)).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(winners.map(({ entry }) => entry)).size).toBe(prizes);
    expect(seen.filter((status) => status === 201)).toHaveLength(prizes);
    expect([...new Set(seen)].sort()).toEqual([201, 403, 503]);
  });

  it("refuse an address that is banned at one of them, until the ban is lifted", async () => {
    const statusAtOther = async () => (await fetch(`${other.url}/api/articles`, { headers })).status;
    const ban = (method: string) => fetch(`${one.url}/console/api/bans/127.0.0.1`, { method, headers: asConsole });
    await ban("PUT");
    await expect.poll(statusAtOther).toBe(403);
    await ban("DELETE");
    await expect.poll(statusAtOther).toBe(200);
  });

  it("take nothing back of before an import at the other one that replaces all data", async () => {
    const replaceAll = () => callConsole(one, "PUT", "/data", { format: "hearth-data/1", collections: {} });
    await replaceAll();
    await callConsole(other, "POST", "/collections/articles/items", { data: { title: "of before" } });
    await replaceAll();
    const made = await data<{ id: number }>(one.post(`${one.url}/api/articles`, { title: "a client's" }, headers));
    // What comes later is heard of later.
    await callConsole(one, "PUT", "/bans/192.0.2.1");
    await expect.poll(async () => (await callConsole(other, "GET", "/bans")).text()).toContain("192.0.2.1");
    const article = () => fetch(`${other.url}/api/articles/${String(made.id)}`, { headers });
    expect([(await callConsole(other, "POST", "/undone-changes", {})).status, (await article()).status]).toEqual([
      404, 200,
    ]);
  });

  it("place, pay and settle an order of either, once", async () => {
    const placed = await data<{ id: number; out_trade_no: string }>(
      one.post(`${one.url}/api/orders`, { description: "Tea", amount: 199 }, headers),
    );
    await one.post(`${one.provider.url}/sim/orders/${placed.out_trade_no}/pay`);
    const path = `/api/orders/${String(placed.id)}`;
    const look = (app: TestApp) => fetch(`${app.url}${path}`, { headers });
    await Promise.all([one, other, one, other].map(look));
    const state = async () =>
      (await data<{ trade_state: string }>(fetch(`${other.url}${path}`, { headers }))).trade_state;
    await expect.poll(state).toBe("SUCCESS");
    const found = await fetch(`${other.url}/console/api/events?type=payment.settled&subject=${placed.out_trade_no}`, {
      headers: asConsole,
    });
    const { events } = (await found.json()) as { events: CloudEvent[] };
    expect(events).toHaveLength(1);
  });
});

/** Asks in turns: the server gives back what a cut connection had only some time after that. */
const firstToTake = (...databases: readonly Pick<Database<unknown>, "instances">[]) =>
  eventually(async () => {
    const asked = await Promise.all(databases.map(async ({ instances }) => instances?.take("kept")));
    const [taken, ...more] = asked.filter((release) => release !== undefined);
    expect(more).toEqual([]);
    if (!taken) throw new Error("nobody has it");
    return taken;
  });

describe("work on an order", () => {
  it("waits for that of another instance, as long as the caller can, and goes on where the other one has ended", async () => {
    const open = () => openDatabase({ url, schema: "turns", migrations: {} });
    const [first, second] = [await open(), await open()];
    const turns = [new KeyedMutex(first.instances), new KeyedMutex(second.instances)] as const;
    const steps: string[] = [];
    const step = async (name: string) => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      steps.push(`${name} ends`);
    };
    await Promise.all(
      turns.flatMap((turn, i) => [0, 1, 2].map((k) => turn.run("H7", () => step(`${String(i)}${String(k)}`)))),
    );
    for (let i = 0; i < steps.length; i += 2) expect(steps[i + 1]).toBe(steps[i]?.replace("begins", "ends"));
    await turns[0].run("H7", async () => {
      await expect(turns[1].run("H7", () => step("late"), 30)).rejects.toThrow(StillBusy);
      await turns[1].run("H8", () => step("elsewhere"));
    });
    expect(await first.instances?.take("left")).toBeDefined();
    expect(await second.instances?.take("left")).toBeUndefined();
    await first.close();
    await expect.poll(() => second.instances?.take("left")).toBeDefined();
    await second.close();
  });

  it("can be taken by an instance that was cut off just before, which has lost what it had", async () => {
    const open = () => openDatabase({ url, schema: "cut", migrations: {} });
    const [first, second] = [await open(), await open()];
    for (let round = 0; round < 20; round++) {
      const release = await first.instances?.take("kept");
      await cutConnections(database, "cut instances");
      const taken = await firstToTake(first, second);
      expect(await release?.()).toBe(false);
      await taken();
    }
    await Promise.all([first.close(), second.close()]);
  });
});

/** A way to the server on which the next connection is taken, but never answered. */
async function openSlowWay() {
  const folder = temporaryFolder();
  const socket = ".s.PGSQL.5432";
  let isSlow = false;
  const server = createServer((near) => {
    near.on("error", () => undefined);
    if (isSlow) {
      isSlow = false;
      near.resume();
      return;
    }
    const far = connect(join(inject("postgres") ?? "", socket)).on("error", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  server.listen(join(folder.path, socket));
  await once(server, "listening");
  return {
    url: databaseUrl(folder.path, database),
    answerNextNever: () => void (isSlow = true),
    [Symbol.dispose]() {
      server.close();
      folder[Symbol.dispose]();
    },
  };
}

describe("an instance that needs long to reach the database again", () => {
  it("counts as alive: nobody takes its work over when the others are back", async () => {
    using way = await openSlowWay();
    const open = (name: string, at: string) => openInstances({ url: at, schema: "late", instance: name });
    const [first, late] = [await open("first", url), await open("late", way.url)];
    const othersHadTime = new Promise<void>((resolve) => first.onReturn(resolve));
    way.answerNextNever();
    await cutConnections(database, "late instances");
    await othersHadTime;
    expect(await first.isAlive("late")).toBe(true);
    await Promise.all([first.close(), late.close()]);
    const next = await open("next", url);
    await expect.poll(() => next.isAlive("late")).toBe(false);
    await next.close();
  });
});
