/** Replies that depend on the state of the server or of the caller, and the check of replies itself. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeApiDocs } from "../../build/docs/write-api-docs.ts";
import { readDescription, type Operation } from "../support/app/api-description.ts";
import type { Call, DescribedServer } from "../support/app/described-call.ts";
import { send, validCall } from "../support/app/described-calls.ts";
import { undeclared, type ReceivedReply } from "../support/app/reply-checker.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { consoleToken, startTestApp, type TestApp } from "../support/app/test-app.ts";

const files = temporaryFolder();
const folder = join(files.path, "dist", "api-docs");
let app: TestApp;
let server: DescribedServer;
beforeAll(async () => {
  await writeApiDocs(folder);
  app = await startTestApp({ settings: { raffle_draw_ms: 0 }, apiDocs: { folder } });
  const operations = await readDescription(`${app.url}/swagger/docs/v1`);
  server = { app, operations, session: await app.loggedIn(), scratch: files.path };
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  files[Symbol.dispose]();
});

const withHeaders = (call: Call, headers: Record<string, string>): Call => ({
  ...call,
  headers: { ...call.headers, ...headers },
});
const understands = (operation: Operation, header: string) =>
  operation.parameters?.some((one) => one.in === "header" && one.name === header) === true;
const isBusiness = ({ security, path }: Operation) =>
  security.some((way) => "sessionToken" in way) && !/^\/api\/(?:sessions|userinfos|phonenumbers$)/.test(path);

async function expectReply(operation: Operation, call: Call, status: number): Promise<ReceivedReply> {
  const reply = await send(call, server);
  expect([operation.operationId, reply.status, undeclared(operation, reply)]).toEqual([
    operation.operationId,
    status,
    [],
  ]);
  return reply;
}

describe("replies that are as described", () => {
  it("304, and 412 of a change, when If-None-Match names the version", async () => {
    const conditional = server.operations.filter((one) => understands(one, "If-None-Match"));
    expect(conditional.length).toBeGreaterThan(8);
    for (const operation of conditional) {
      const call = await validCall(operation, server);
      const isRead = operation.method === "GET";
      const known = isRead ? ((await expectReply(operation, call, 200)).headers.get("etag") ?? "") : "*";
      await expectReply(operation, withHeaders(call, { "If-None-Match": known }), isRead ? 304 : 412);
    }
  });

  it("204 when return=minimal is preferred", async () => {
    const changing = server.operations.filter((one) => understands(one, "Prefer"));
    expect(changing.length).toBeGreaterThan(3);
    for (const operation of changing)
      await expectReply(operation, withHeaders(await validCall(operation, server), { Prefer: "return=minimal" }), 204);
  });

  it("206 for a range", async () => {
    const ranged = server.operations.filter((one) => understands(one, "Range"));
    expect(ranged.length).toBeGreaterThan(0);
    for (const operation of ranged)
      await expectReply(operation, withHeaders(await validCall(operation, server), { Range: "bytes=0-3" }), 206);
  });

  it("401 with the step that is missing, of every business operation", async () => {
    const { access_token } = await app.login("newcomer");
    const headers = { Authorization: `Bearer ${access_token}` };
    const business = server.operations.filter(isBusiness);
    expect(business.length).toBeGreaterThan(15);
    const step = async (expected: string) => {
      for (const operation of business) {
        const reply = await expectReply(operation, withHeaders(await validCall(operation, server), headers), 401);
        expect(reply.headers.get("www-authenticate")).toBe(expected);
      }
    };
    await step("getUserInfo");
    await app.post(`${app.url}/api/userinfos`, await app.sim("newcomer", "user-info"), headers);
    await step("getPhoneNumber");
  });

  it("403 for a banned address, of every operation under /api", async () => {
    const ban = (method: string) =>
      fetch(`${app.url}/console/api/bans/127.0.0.1`, { method, headers: { Authorization: `Bearer ${consoleToken}` } });
    const calls = await Promise.all(
      server.operations
        .filter(({ path }) => path.startsWith("/api/"))
        .map(async (operation) => ({ operation, call: await validCall(operation, server) })),
    );
    expect((await ban("PUT")).status).toBe(204);
    for (const { operation, call } of calls) await expectReply(operation, call, 403);
    expect((await ban("DELETE")).status).toBe(204);
  });

  it("503 with Retry-After when there is too much work, of every operation under /api", async () => {
    const calls = await Promise.all(
      server.operations
        .filter(({ path }) => path.startsWith("/api/"))
        .map(async (operation) => ({ operation, call: await validCall(operation, server) })),
    );
    app.lag.ms = 60_000;
    for (const { operation, call } of calls) await expectReply(operation, call, 503);
    app.lag.ms = 0;
  });
});

describe("the check of replies", () => {
  const operation: Operation = {
    operationId: "getThing",
    method: "GET",
    path: "/things",
    security: [],
    responses: {
      200: {
        headers: { ETag: { required: true, schema: { type: "string" } } },
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["id"],
              additionalProperties: false,
              properties: { id: { type: "integer" } },
            },
          },
          "application/xml": { schema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] } },
        },
      },
      204: {},
    },
  };
  const reply = (status: number, text: string, headers: Record<string, string> = {}): ReceivedReply => ({
    status,
    text,
    headers: new Headers({ "content-type": "application/json; charset=utf-8", etag: '"v1"', ...headers }),
  });
  const xml = { "content-type": "application/xml" };
  const document = (inner: string) => `<?xml version="1.0" encoding="UTF-8"?>${inner}`;

  it.each([
    ["JSON", reply(200, '{"id":1}')],
    ["XML", reply(200, document("<result><id>1</id></result>"), xml)],
    ["no body", reply(204, "")],
  ])("finds nothing wrong with a reply as described: %s", (_what, right) => {
    expect(undeclared(operation, right)).toEqual([]);
  });

  it.each([
    ["a status", reply(201, "{}"), "status 201"],
    ["a field", reply(200, '{"id":1,"secret":2}'), "additional properties"],
    ["a type", reply(200, '{"id":"1"}'), "must be integer"],
    ["a missing field", reply(200, "{}"), "required property"],
    ["a content type", reply(200, "a", { "content-type": "text/plain" }), '"text/plain" is not declared'],
    ["a body", reply(204, "{}"), "a body is not declared"],
    ["a field in XML", reply(200, document("<result><id>x</id></result>"), xml), "must be integer"],
    ["the root of XML", reply(200, document("<thing><id>1</id></thing>"), xml), "root is not <result>"],
  ])("finds %s that the description does not have", (_what, wrong, problem) => {
    expect(undeclared(operation, wrong).join()).toContain(problem);
  });

  it("finds a header that is missing", () => {
    const { headers, ...rest } = reply(200, '{"id":1}');
    headers.delete("etag");
    expect(undeclared(operation, { ...rest, headers })).toEqual(["header ETag is missing"]);
  });
});
