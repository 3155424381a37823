import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp({ settings: { raffle_draw_ms: 5 } });
  headers = await app.loggedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

interface Raffle {
  id: number;
  winners: { prize: number; entry: number; winner: string }[];
}
const create = async (fields: object) =>
  ((await (await app.post(`${app.url}/api/raffles`, fields, headers)).json()) as { data: Raffle }).data;
const draw = (id: number) => app.post(`${app.url}/api/raffles/${String(id)}/draws`, undefined, headers);
const read = async (id: number) =>
  ((await (await fetch(`${app.url}/api/raffles/${String(id)}`, { headers })).json()) as { data: Raffle }).data;

describe("raffles", () => {
  it("draws a prize for one entry and answers 403 when every prize is drawn", async () => {
    const { id, winners } = await create({ title: "one", entries: ["a"], prizes: 1 });
    expect(winners).toEqual([]);
    const first = await draw(id);
    expect([first.status, await first.json()]).toEqual([
      201,
      { status: expect.anything(), data: expect.objectContaining({ prize: 1, winner: "a" }) },
    ]);
    expect((await draw(id)).status).toBe(403);
  });

  it("answers 503 with Retry-After to the others while a draw is under way, and never draws a prize or an entry twice: 200 draws at once, repeated until all prizes are gone", async () => {
    const prizes = 20;
    const { id } = await create({ title: "many", entries: Array.from({ length: 50 }, () => "same name"), prizes });
    const seen = new Map<number, number>();
    while ((await read(id)).winners.length < prizes) {
      for (const response of await Promise.all(Array.from({ length: 200 }, () => draw(id)))) {
        seen.set(response.status, (seen.get(response.status) ?? 0) + 1);
        if (response.status === 503) expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      }
    }
    const { winners } = await read(id);
    expect(winners.map(({ prize }) => prize)).toEqual(Array.from({ length: prizes }, (_, i) => i + 1));
    expect(new Set(winners.map(({ entry }) => entry)).size).toBe(prizes);
    expect(seen.get(201)).toBe(prizes);
    expect(seen.get(503)).toBeGreaterThan(0);
    expect([...seen.keys()].every((status) => [201, 403, 503].includes(status))).toBe(true);
  });

  it("keeps the winners when the owner changes the raffle, whatever the change says", async () => {
    const { id } = await create({ title: "kept", entries: ["a", "b"], prizes: 2 });
    await draw(id);
    const before = (await read(id)).winners;
    const changed = await fetch(`${app.url}/api/raffles/${String(id)}`, {
      method: "PUT",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify({ title: "new", entries: ["a", "b"], prizes: 2, winners: [] }),
    });
    expect(changed.status).toBe(200);
    expect((await read(id)).winners).toEqual(before);
  });

  it("answers 400 naming prizes when there are more prizes than entries", async () => {
    const response = await app.post(`${app.url}/api/raffles`, { title: "x", entries: ["a"], prizes: 2 }, headers);
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ details: [expect.objectContaining({ field: "prizes" })] }),
    ]);
  });
});

it("a raffle keeps its winners and its drawn prizes, while everything else may change", async () => {
  const { id } = await create({ title: "one", entries: ["a", "b", "c"], prizes: 2 });
  const change = async (fields: object) => {
    const response = await fetch(`${app.url}/api/raffles/${String(id)}`, {
      method: "PATCH",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(fields),
    });
    return response.status;
  };
  expect(await change({ entries: ["c", "b", "a"] })).toBe(200);
  expect([(await draw(id)).status, (await draw(id)).status]).toEqual([201, 201]);
  expect(await change({ entries: ["x", "y", "z"] })).toBe(403);
  expect(await change({ prizes: 1 })).toBe(403);
  expect(await change({ title: "two", entries: ["c", "b", "a", "d"], prizes: 3 })).toBe(200);
});

it.each(["PUT", "PATCH"])(
  "%s of a raffle accepts the answer of GET, in JSON and in XML, and keeps the winners",
  async (method) => {
    const { id } = await create({ title: "back", entries: ["a", "b"], prizes: 2 });
    await draw(id);
    const { winners } = await read(id);
    const url = `${app.url}/api/raffles/${String(id)}`;
    const send = async (type: string, body: string) =>
      (await fetch(url, { method, headers: { ...headers, "Content-Type": type }, body })).status;
    const xml = await (await fetch(url, { headers: { ...headers, Accept: "application/xml" } })).text();
    expect(await send("application/xml", /<data>.*<\/data>/s.exec(xml)?.[0] ?? "")).toBe(200);
    expect(await send("application/json", JSON.stringify({ ...(await read(id)), winners: "none" }))).toBe(200);
    expect((await read(id)).winners).toEqual(winners);
  },
);
