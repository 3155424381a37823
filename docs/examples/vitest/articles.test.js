import { expect, test } from "vitest";

const { HEARTH_APP_URL, HEARTH_CONSOLE_URL, HEARTH_TOKEN } = process.env;
const headers = { Authorization: `Bearer ${HEARTH_TOKEN}`, "Content-Type": "application/json" };
const articles = (init) => fetch(`${HEARTH_APP_URL}/api/articles`, { headers, ...init });

test("an article that was written can be read", async () => {
  const written = await articles({ method: "POST", body: JSON.stringify({ title: "Hello" }) });
  expect(written.status).toBe(201);
  const read = await fetch(new URL(written.headers.get("location"), HEARTH_APP_URL), { headers });
  expect((await read.json()).data).toMatchObject({ title: "Hello" });
});

test("a client is told when the server fails", async () => {
  const { origin, searchParams } = new URL(HEARTH_CONSOLE_URL);
  const authorized = { Authorization: `Bearer ${searchParams.get("token")}`, "Content-Type": "application/json" };
  const faults = `${origin}/console/api/faults`;
  const fault = { path: "/api/articles", status: 503, times: 1 };
  await fetch(faults, { method: "POST", headers: authorized, body: JSON.stringify(fault) });
  expect((await articles()).status).toBe(503);
  expect((await articles()).status).toBe(200);
  await fetch(faults, { method: "DELETE", headers: authorized });
});
