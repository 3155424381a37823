/** What the commands send for a recorded request, byte for byte: curl by a real shell, fetch by a real Node. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordExchange } from "../../../../server/app/requests/record-exchange.ts";
import { recordedRequest } from "../../../../server/app/requests/recorded-request.ts";
import { secretNamesOf, type SecretNames } from "../../../../server/app/requests/secrets/secret-names.ts";
import { createSecretVault } from "../../../../server/app/requests/secrets/secret-vault.ts";
import { snippetOf } from "../../../../server/app/requests/snippets.ts";
import { unknownVariables } from "../../../../server/process/settings/unknown-variables.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

interface Message {
  readonly method: string;
  readonly target: string;
  /** Alternating names and values, in Latin-1. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const received: Message[] = [];
const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on("data", (chunk: Buffer) => chunks.push(chunk));
  req.on("end", () => {
    const { method = "", url = "", rawHeaders } = req;
    received.push({ method, target: url, headers: rawHeaders, body: Buffer.concat(chunks) });
    res.end();
  });
});
let url = "";
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
const folder = temporaryFolder();
afterAll(() => {
  server.close();
  folder[Symbol.dispose]();
});

const noName: SecretNames = { field: () => false, header: () => false };

/** The record of a message of session 12, in which no field is secret unless `names` says so. */
function recordOf({ method, target, headers, body }: Message, names = noName) {
  const captured = { chunks: [body], kept: body.length, size: body.length };
  const none = { chunks: [], kept: 0, size: 0 };
  const exchange = {
    ...{ service: "app", time: 0, ms: 1, method, target, requestHeaders: headers, requestBody: captured },
    ...{ client: "127.0.0.1", status: 200, responseHeaders: {}, responseBody: none, complete: true },
    notes: { session: { id: 12, userId: 1, token: "the-token" } },
  } as unknown as Parameters<typeof recordExchange>[0];
  const hiding = { secretNames: () => names, vault: createSecretVault(), consoleToken: "the run's token" };
  return recordedRequest(recordExchange(exchange, 1, {}, hiding));
}

const run = promisify(execFile);
const secrets = {
  HEARTH_TOKEN_2: "another",
  ...{ HEARTH_PASSWORD: "first", HEARTH_PASSWORD_2: "second", HEARTH_SECRET: "12345", HEARTH_SECRET_2: '{"a":["b"]}' },
};
const env = { PATH: process.env["PATH"], HOME: "/nowhere", HEARTH_TOKEN: "the-token", ...secrets };
const runners = {
  curl: (file: string) => run("/bin/sh", [file], { env }),
  fetch: (file: string) => run(process.execPath, [file], { env }),
};

const ofOneConnection = new Set("host connection content-length transfer-encoding expect accept-encoding".split(" "));
const pairs = (headers: readonly string[]) =>
  headers.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1] ?? ""]] : []));

/** What the server got by the command. */
async function sentBy(format: keyof typeof runners, message: Message, names = noName): Promise<Message> {
  received.length = 0;
  const file = join(folder.path, "command.mjs");
  writeFileSync(file, snippetOf(format, recordOf(message, names), url));
  await runners[format](file);
  const [only, ...others] = received;
  if (!only || others.length > 0) throw new Error(`${String(received.length)} requests came`);
  return only;
}

const hostile = [
  "'",
  '"',
  "\\",
  "$HOME",
  "`id`",
  "!",
  " -H X-Other: 1",
  "{{word}}",
  "{{session:12",
  "{{session:7}}",
  "[1-3]",
];
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...hostile, "@", "-", "--", "\n", "\r", "\t", "%s", "\\n", "图"),
      fc.string({ unit: "binary" }),
    ),
  )
  .map((parts) => parts.join("").replaceAll("\0", ""));
const body = fc.oneof(
  text.map((whole) => Buffer.from(whole)),
  text.map((whole) => Buffer.from(`@${whole}`)),
  fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes)),
);
/** What can be a header's value: no control characters, and no spaces around it. */
const asValue = (bytes: Uint8Array) =>
  [...Buffer.from(bytes).toString("latin1")]
    .filter((one) => one >= " " && one !== "\x7f")
    .join("")
    .trim();
const value = fc.oneof(
  text.map((whole) => asValue(Buffer.from(whole))),
  fc.uint8Array().map(asValue),
  fc.constantFrom("@/etc/hosts", "=1", "a;", ";"),
);
const name = fc.stringMatching(/^X-[A-Za-z0-9!#$%&'*+.^_`|~-]{1,8}$/);
const headers = fc
  .tuple(
    fc.array(fc.tuple(name, value), { maxLength: 4 }),
    fc.option(fc.constantFrom("application/x-own", "a/b; c='d'")),
  )
  .map(([own, type]) => [
    ...["Accept", "*/*", "User-Agent", "it's"],
    ...(type === null ? [] : ["Content-Type", type]),
    ...own.flat(),
  ]);
const oddPieces = String.raw`[1-3] {a,b} ' " $HOME ${"`"} /../ /./ /%2e%2E/ ? & # // \ %41 {{x}}`.split(" ");
const target = fc
  .array(fc.oneof(fc.constantFrom(...oddPieces), fc.stringMatching(/^[!-~]{0,6}$/)))
  .map((parts) => `/${parts.join("")}`);
/** A record does not tell an empty query from none. */
const recordedTarget = (whole: string) => whole.replace(/^([^?]*)\?$/, "$1");
const messageOf = (method: string) => fc.record({ method: fc.constant(method), target, headers, body });

describe("the command for curl", () => {
  it("sends method, path, headers and body as they were recorded", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("POST", "PUT", "GET", "DELETE").chain(messageOf), async (message) => {
        const sent = await sentBy("curl", message);
        expect([sent.method, sent.target]).toEqual([message.method, recordedTarget(message.target)]);
        expect(sent.body).toEqual(message.body);
        expect(pairs(sent.headers).filter(([one = ""]) => !ofOneConnection.has(one))).toEqual(pairs(message.headers));
      }),
      {
        numRuns: 100,
        examples: [
          [{ method: "POST", target: "/?", headers: ["Accept", "*/*", "User-Agent", "a"], body: Buffer.from("a") }],
        ],
      },
    );
  });

  it("sends a body that is longer than a system's arguments, and no header that was not there", async () => {
    const message = { method: "POST", target: "/", headers: ["X-A", ""], body: Buffer.from("it's ".repeat(50_000)) };
    const sent = await sentBy("curl", message);
    expect(sent.body.equals(message.body)).toBe(true);
    expect(pairs(sent.headers).filter(([one = ""]) => !ofOneConnection.has(one))).toEqual([["x-a", ""]]);
  });

  it("has a variable for the session's token alone, also among bytes and in the path", async () => {
    const bytes = Buffer.concat([Buffer.from([0, 255]), Buffer.from("the-token {{session:7}}"), Buffer.from([254])]);
    const message = { method: "POST", target: "/the-token/[1-3]", headers: ["X-A", "a the-token"], body: bytes };
    expect(snippetOf("curl", recordOf(message), url)).not.toContain("the-token");
    const sent = await sentBy("curl", message);
    expect([sent.target, sent.headers]).toEqual([message.target, expect.arrayContaining(message.headers)]);
    expect(sent.body).toEqual(bytes);
    expect((await sentBy("fetch", message)).body).toEqual(bytes);
  });

  it("says that a body is left out that curl sends not with HEAD", async () => {
    const message = { method: "HEAD", target: "/", headers: [], body: Buffer.from("a") };
    expect(snippetOf("curl", recordOf(message), url)).toMatch(/^# The body is missing: curl sends none with HEAD\.\n/);
    expect((await sentBy("curl", message)).method).toBe("HEAD");
  });
});

describe.each(["curl", "fetch"] as const)("the secrets in the command for %s", (format) => {
  const names = secretNamesOf(() => [])("app", "/");
  const body = Buffer.from(
    '{"token":"another","a":{"password":"first"},"b":{"password":"second"},"c":[{"secret":12345},{"secret":{"a":["b"]}}],"password":"first"}',
  );
  const message = { method: "POST", target: "/", headers: ["Authorization", "Bearer the-token"], body };

  it("have a variable for each value, and the session's token one of its own", async () => {
    const sent = await sentBy(format, message, names);
    expect(sent.headers).toEqual(expect.arrayContaining(["Bearer the-token"]));
    expect(sent.body.toString()).toBe(body.toString());
  });

  it("have variables that a start takes for no misspelt settings", () => {
    const used = snippetOf(format, recordOf(message, names), url).match(/\bHEARTH_\w+/g) ?? [];
    expect(used).toEqual(expect.arrayContaining(["HEARTH_TOKEN", "HEARTH_TOKEN_2", "HEARTH_PASSWORD_2"]));
    expect(unknownVariables(Object.fromEntries(used.map((one) => [one, "a value"])), { upstreams: [] })).toEqual([]);
  });

  it("leave the record valid JSON", () => {
    const { text = "" } = recordOf(message, names).request.body;
    expect(JSON.parse(text)).toMatchObject({ token: expect.stringMatching(/^\{\{token:/) as string });
    for (const secret of ["another", "first", "second", "12345"]) expect(text).not.toContain(secret);
  });
});

describe("the call of fetch", () => {
  it("sends headers and body as they were recorded, and the path unless it says so", async () => {
    await fc.assert(
      fc.asyncProperty(messageOf("POST"), async (message) => {
        const sent = await sentBy("fetch", message);
        expect(sent.body).toEqual(message.body);
        const saysSo = snippetOf("fetch", recordOf(message), url).startsWith("// fetch does not send the path");
        if (!saysSo) expect(sent.target).toBe(recordedTarget(message.target));
        const values = (list: readonly string[]) => Object.groupBy(pairs(list), ([one = ""]) => one);
        const [there, expected] = [values(sent.headers), values(message.headers)];
        for (const one of Object.keys(expected))
          expect(there[one]?.map(([, each]) => each).join(", ")).toBe(
            expected[one]?.map(([, each]) => each).join(", "),
          );
      }),
      { numRuns: 25 },
    );
  });

  it("says that a body is left out that fetch sends not with GET", async () => {
    const message = { method: "GET", target: "/", headers: [], body: Buffer.from("a") };
    expect(snippetOf("fetch", recordOf(message), url)).toMatch(
      /^\/\/ The body is missing: fetch sends none with GET\.\n/,
    );
    expect((await sentBy("fetch", message)).method).toBe("GET");
  });
});

describe("when it is pasted, no character is changed by a terminal", () => {
  const headers = ["Content-Type", "multipart/form-data; boundary=x", "X-A", "a\tb \u00c2\u0085"];
  const hostileBody = Buffer.from("--x\r\n\r\n\u001b[A\u0085图 the-token\t\n--x--\r\n");

  it.each([hostileBody, Buffer.from("a\tb"), Buffer.from("a\u0085")])("of %j", async (body) => {
    const message = { method: "POST", target: "/", headers, body };
    for (const format of ["curl", "httpie", "fetch"] as const)
      expect(snippetOf(format, recordOf(message), url)).toMatch(/^[\P{Cc}\n]*$/u);
    for (const format of ["curl", "fetch"] as const) {
      const sent = await sentBy(format, message);
      expect(sent.body).toEqual(body);
      expect(sent.headers).toEqual(expect.arrayContaining(headers));
    }
  });
});

describe("the command for HTTPie", () => {
  it("says that HTTPie drops a backslash where it does", () => {
    const headers = ["X-A", "a\\:b", "X-B", "a\\\\:b\\c", "X-C", "\\\\\\@"];
    const message = { method: "GET", target: "/", headers, body: Buffer.from("") };
    expect(snippetOf("httpie", recordOf(message), url)).toMatch(
      /^# HTTPie does not send X-A unchanged: .*\n# HTTPie does not send X-C unchanged: .*\nhttp /,
    );
  });

  it("marks what HTTPie would read as a file, as JSON or as an option", () => {
    const headers = ["X-A", "@/etc/hosts", "X-B", "=1"];
    const message = { method: "POST", target: "/a/../b", headers, body: Buffer.from("-x") };
    const written = snippetOf("httpie", recordOf(message), url);
    expect(written).toContain(
      `http --path-as-is --ignore-stdin --raw=-x POST ${url}/a/../b 'X-A:\\@/etc/hosts' 'X-B:\\=1'`,
    );
  });
});
