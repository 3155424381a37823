import { afterAll, beforeAll, expect, it } from "vitest";
import { addedLines } from "../../../server/actions/events/logs.ts";
import { events } from "../../../server/actions/events/events.ts";
import { HearthApi } from "../../../server/actions/hearth-api.ts";
import { order } from "../../../server/actions/payments/order.ts";
import { requests } from "../../../server/actions/requests/requests.ts";
import { streamStoredEvents } from "../../../server/contract/console/traffic/event-endpoints.ts";
import { consoleToken } from "../../support/app/console-token.ts";
import { startActionScene, type ActionScene } from "../../support/action-scene.ts";

let scene: ActionScene;
beforeAll(async () => (scene = await startActionScene()));
afterAll(() => scene[Symbol.asyncDispose]());

const api = () =>
  new HearthApi(() => Promise.resolve({ app: scene.app.url, provider: scene.app.provider.url, consoleToken }));

const place = () =>
  order.run(api(), { amount: 5, user: "test", description: "Tea", type: "JSAPI" }, new AbortController().signal);

it("lists failed requests alone, and shows the last with its headers and body", async () => {
  await fetch(`${scene.app.url}/api/articles`);
  const failed = (await scene.json("requests", "--failed")) as { status: number; path: string }[];
  expect(failed).toMatchObject([{ status: 401, path: "/api/articles" }]);
  const { stdout } = await scene.hearth("show", "last");
  expect(stdout).toMatch(/^request \d+ {2}client → app/);
  expect(stdout).toMatch(/\nGET \/api\/articles\nhost: 127\.0\.0\.1/i);
  expect(stdout).toMatch(/\n401\n/);
});

it("waits for a request that comes, and for one that has come", async () => {
  const waiting = scene.json("wait", "/api/raffles", "--new");
  const stop = setInterval(() => void fetch(`${scene.app.url}/api/raffles`), 50);
  expect(await waiting).toMatchObject({ request: { path: "/api/raffles" } });
  clearInterval(stop);
  expect(await scene.json("wait", "GET /api/*")).toMatchObject({ request: { path: "/api/raffles" } });
});

it("waits for an event", async () => {
  const waiting = scene.json("wait", "order.placed");
  // Not by a command: two would share the output.
  await place();
  expect(await waiting).toMatchObject({ event: { type: "order.placed" } });
});

it.each(["/api/nothing", "POST /api/articles", "payment.settled"])(
  "hearth wait %s ends with 3 when the time is over",
  async (pattern) => {
    expect(await scene.hearth("wait", pattern, "--timeout", "50ms")).toMatchObject({
      code: 3,
      problem: expect.stringContaining("within 50 ms"),
    });
  },
);

it("ends a stream whose time is over before its reply comes", async () => {
  const events = [];
  for await (const event of api().stream(streamStoredEvents, { signal: AbortSignal.abort() })) events.push(event);
  expect(events).toEqual([]);
});

it("refuses what is neither a path nor a type of event", async () => {
  expect(await scene.hearth("wait", "rain")).toMatchObject({
    code: 2,
    problem: expect.stringContaining("order.placed"),
  });
});

it("follows events and requests from the list on, without a gap", async () => {
  const stopped = new AbortController();
  const { signal } = stopped;
  const listedEvents = await events.run(api(), { limit: 5 }, signal);
  const listedRequests = await requests.run(api(), { limit: 5 }, signal);
  await place();
  const types: string[] = [];
  for await (const batch of events.follow?.(api(), { limit: 5 }, signal, listedEvents) ?? []) {
    types.push(...batch.map(({ type }) => type));
    if (types.includes("order.placed")) break;
  }
  expect(types.filter((type) => type === "order.placed")).toHaveLength(1);
  const paths: string[] = [];
  for await (const batch of requests.follow?.(api(), { limit: 5 }, signal, listedRequests) ?? []) {
    paths.push(...batch.map(({ path }) => path));
    if (paths.includes("/api/orders")) break;
  }
  expect(paths.filter((path) => path === "/api/orders")).toHaveLength(1);
  stopped.abort();
});

it("finds the new lines of a log whose first lines were dropped", () => {
  expect(addedLines(["a", "b", "c"], ["b", "c", "d"])).toEqual(["d"]);
  expect(addedLines(["c"], ["a", "b", "c"])).toEqual([]);
  expect(addedLines(["x"], ["a", "b"])).toEqual(["a", "b"]);
  expect(addedLines([], ["a"])).toEqual(["a"]);
});
