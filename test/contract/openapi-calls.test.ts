/**
 * Every operation of the descriptions is called, and each reply must be as described: a drift between the two fails. Of
 * generated bodies `npm test` tries a sample, `npm run fuzz` more, with the seed of `HEARTH_FUZZ_SEED`.
 */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { join } from "node:path";
import { writeApiDocs } from "../../build/docs/write-api-docs.ts";
import { readDescription, type Operation } from "../support/app/api-description.ts";
import type { Call, DescribedServer } from "../support/app/described-call.ts";
import { send, sentType, validCall } from "../support/app/described-calls.ts";
import { invalidCalls } from "../support/app/invalid-calls.ts";
import { undeclared } from "../support/app/reply-checker.ts";
import { fitting } from "../support/app/schema-input.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { consoleToken, startTestApp } from "../support/app/test-app.ts";
import { fuzzSeed } from "../support/fuzz-seed.ts";
import { bookSchema } from "../support/app/user-collections.ts";
import { userFiles } from "../support/app/user-files.ts";

const files = temporaryFolder();
const folder = join(files.path, "dist", "api-docs");
await writeApiDocs(folder);
const app = await startTestApp({ settings: { basic_auth: true, raffle_draw_ms: 0 }, apiDocs: { folder } });
await userFiles(app).load("books", bookSchema);
await userFiles(app).loadRoutes({
  routes: [
    { path: "/api/weather", body: { sky: "clear" } },
    { method: "POST", path: "/api/weather", access: "login", status: 201, body: "<sky/>" },
  ],
});
const consoleHeaders = { Authorization: `Bearer ${consoleToken}` };
const operations = [
  ...(await readDescription(`${app.url}/swagger/docs/v1`)),
  ...(await readDescription(`${app.url}/console/api/openapi.json`, consoleHeaders)),
];
const server: DescribedServer = { app, operations, session: await app.loggedIn(), scratch: files.path };
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  files[Symbol.dispose]();
});

/** How many bodies an operation gets: some that its description allows, and any others. */
const bodies = process.env["HEARTH_FUZZ_REQUESTS"] === undefined ? { fitting: 8, any: 5 } : { fitting: 30, any: 20 };

/** Operations that take for a number in a body what they take for one in a query. */
const lenient = new Set(["assertRequests"]);

/** Operations whose rules go beyond what a schema can say: a value that fits it may still be refused. */
const ruledFurther = new Set([
  ...[
    "createRaffle",
    "replaceRaffle",
    "updateRaffle",
    "createEvent",
    "assertRequests",
    "createItem",
    "replaceItem",
    "updateSettings",
    "updateBook",
  ],
  ...["setClock", "createFault", "replaceFaults", "createOrder", "createRefund"],
]);

async function expectDeclared(operation: Operation, call: Call, what: string) {
  const reply = await send(call, server);
  expect(undeclared(operation, reply), `${operation.operationId}, ${what}`).toEqual([]);
  return reply;
}

/** What keeps a generated body from disturbing the calls after it: from a reset of everything, say. */
const replaced: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  createFault: { path: "/no/such/place" },
  createReset: { parts: ["bans"] },
};
const replacedIfThere = {
  timeout_ms: 0,
  path: "/no/such/place",
  offset_ms: 0,
  advance_ms: 0,
  at: new Date().toISOString(),
};

/** A generated body that neither waits, nor has the server watch whatever folder its path names, nor disturbs others. */
function harmless(body: unknown, { operationId }: Pick<Operation, "operationId">): unknown {
  if (typeof body !== "object" || body === null) return body;
  const there = Object.entries(replacedIfThere).filter(([name]) => name in body);
  const faults = (body as { faults?: unknown[] }).faults?.map((one) => harmless(one, { operationId: "createFault" }));
  return { ...body, ...Object.fromEntries(there), ...(faults && { faults }), ...replaced[operationId] };
}

const successes = ({ responses }: Operation) =>
  Object.keys(responses)
    .filter((one) => /^2|^302$/.test(one))
    .map(Number);

describe.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  "%s",
  (_name, operation) => {
    it("answers a valid call as described", async () => {
      const reply = await expectDeclared(operation, await validCall(operation, server), "a valid call");
      expect(successes(operation), reply.text).toContain(reply.status);
    });

    if (successes(operation).some((status) => "application/xml" in (operation.responses[status]?.content ?? {})))
      it("answers XML as described", async () => {
        const call = await validCall(operation, server);
        const headers = { ...call.headers, Accept: "application/xml" };
        const reply = await expectDeclared(operation, { ...call, headers }, "XML");
        expect(successes(operation), reply.text).toContain(reply.status);
      });

    it("answers invalid calls as described", async () => {
      for (const { what, call, expected } of invalidCalls(operation, await validCall(operation, server))) {
        if (lenient.has(operation.operationId) && /instead of integer/.test(what)) continue;
        const reply = await expectDeclared(operation, call, what);
        expect(expected, `${operation.operationId}, ${what}: ${reply.text}`).toContain(reply.status);
      }
    });

    if (operation.requestBody && sentType(operation) !== "multipart/form-data")
      it("takes every body that the description allows, and answers any other as described", async () => {
        const type = sentType(operation) ?? "";
        const schema = operation.requestBody?.content[type]?.schema ?? {};
        const call = await validCall(operation, server);
        await fc.assert(
          fc.asyncProperty(
            fitting(schema).map((value) => harmless(value, operation)),
            async (body) => {
              const reply = await expectDeclared(operation, { ...call, body }, JSON.stringify(body));
              if (!ruledFurther.has(operation.operationId))
                expect(reply.text, JSON.stringify(body)).not.toContain('"invalid_request"');
            },
          ),
          { numRuns: bodies.fitting, seed: fuzzSeed },
        );
        await fc.assert(
          fc.asyncProperty(fc.jsonValue(), async (value) => {
            const body = operation.operationId in replaced ? harmless(value, operation) : value;
            await expectDeclared(operation, { ...call, body }, JSON.stringify(body));
          }),
          { numRuns: bodies.any, seed: fuzzSeed },
        );
      });

    it("refuses every other method as described, and says which there are", async () => {
      const reply = await send({ ...(await validCall(operation, server)), method: "PROPFIND", raw: null }, server);
      expect(undeclared(operation, reply)).toEqual([]);
      expect([reply.status, reply.headers.get("allow")]).toEqual([405, expect.stringContaining(operation.method)]);
    });
  },
);
