import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../build/root.ts";
import { routesFile, startWithCode } from "../../support/app/code-files.ts";
import { itemSchema, userFiles } from "../../support/app/user-files.ts";

const zod = join(root, "node_modules/zod/index.js");

let code: Awaited<ReturnType<typeof startWithCode>>;
beforeAll(async () => {
  code = await startWithCode("", {
    files: {
      "hearth.routes.ts": `import { z } from ${JSON.stringify(zod)};\n${routesFile(`
  const order = z.object({ title: z.string().min(2), lines: z.array(z.object({ count: z.coerce.number() })) });
  post("/orders", { body: order }, ({ body }) => body);
  post("/books", { login: true }, ({ body, user }) => db.books.create(body, { owner: user.id }));
  get("/books", ({ query }) => db.books.list(query));
  get("/books/{id}", async ({ params }) => (await db.books.get(Number(params.id))) ?? fail(404, "none", "None."));
  patch("/books/{id}", ({ params, body }) => db.books.update(Number(params.id), body));
  del("/books/{id}", async ({ params }) => ({ removed: await db.books.remove(Number(params.id)) }));
  post("/buy", { login: true }, async ({ pay, body }) => {
    const { id, trade_state, pay: parameters } = await pay({ amount: 100, description: body.what });
    return { id, trade_state, parameters };
  });
  post("/buy-unknown", ({ pay }) => pay({ amount: 100, description: "x" }));
  get("/caught", () => db.nothing.list().catch((error) => ({ caught: error.code })));
  get("/odd", () => db.books.get({}));
`)}`,
    },
  });
  await userFiles(code.app).load(
    "books",
    itemSchema({ title: { type: "string", minLength: 2 }, price: { type: "number" } }, { required: ["title"] }),
  );
});
afterAll(() => code[Symbol.asyncDispose]());

const send = (method: string, body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { "Content-Type": "application/json", ...headers },
});

describe("a route with a schema of its body", () => {
  it("gets the checked body, and another body is 400 with the fields at fault", async () => {
    expect(await code.json("/orders", send("POST", { title: "pen", lines: [{ count: "3" }], more: 1 }))).toEqual({
      title: "pen",
      lines: [{ count: 3 }],
    });
    const refused = await code.get("/orders", send("POST", { title: "p", lines: [{}] }));
    expect([refused.status, await refused.json()]).toEqual([
      400,
      {
        code: "invalid_request",
        Message: expect.stringMatching(/^title: /) as string,
        details: [
          { field: "title", problem: expect.stringContaining("2 characters") as string },
          { field: "lines.0.count", problem: expect.stringContaining("expected number") as string },
        ],
      },
    ]);
  });
});

describe("the code of a route", () => {
  it("reads and changes the items of collections under the rules of their schemas", async () => {
    const headers = await code.app.loggedIn();
    const { data } = (await code.json("/books", send("POST", { title: "One", price: 5 }, headers))) as {
      data: { id: number; owner_uid: string };
    };
    expect(data).toMatchObject({ title: "One", price: 5, owner_uid: expect.stringMatching(/^u\d+$/) as string });
    await code.json("/books", send("POST", { title: "Two", price: 9 }, headers));
    const path = `/books/${String(data.id)}`;
    expect(await code.json(path, send("PATCH", { price: 7 }))).toMatchObject({ title: "One", price: 7 });
    expect(await code.json("/books?sort=price&price[gte]=7")).toMatchObject([{ title: "One" }, { title: "Two" }]);
    expect(await code.json("/books?page_size=1&sort=-price")).toMatchObject([{ title: "Two" }]);
    expect(await code.json(path, { method: "DELETE" })).toEqual({ removed: true });
    expect(await code.json(path, { method: "DELETE" })).toEqual({ removed: false });
    expect((await code.get(path)).status).toBe(404);
  });

  it("places an order for its caller, whose client then pays", async () => {
    const headers = await code.app.loggedIn("dora");
    const { data } = (await code.json("/buy", send("POST", { what: "Pens" }, headers))) as {
      data: { id: number; trade_state: string; parameters: Record<string, string> };
    };
    expect(data).toMatchObject({ trade_state: "NOTPAY", parameters: { signType: expect.any(String) as string } });
    expect(await code.json(`/api/orders/${String(data.id)}`, { headers })).toMatchObject({ data: { id: data.id } });
    expect((await code.get("/buy", send("POST", {}, headers))).status).toBe(400);
    expect((await code.get("/buy-unknown", send("POST", {}))).status).toBe(401);
  });

  it("gets the server's refusals as exceptions, which are the route's answer unless it catches them", async () => {
    const headers = await code.app.loggedIn();
    const refused = await code.get("/books", send("POST", { title: "x" }, headers));
    expect([refused.status, await refused.json()]).toMatchObject([400, { details: [{ field: "title" }] }]);
    expect((await code.get("/books?sort=none")).status).toBe(400);
    expect(await code.json("/caught")).toEqual({ caught: "not_found" });
    expect(await code.json("/odd")).toMatchObject({ code: "bad_argument" });
  });
});
