/**
 * Every operation of the application server is called, rightly and wrongly, and all that comes of it is searched: bodies,
 * headers, log lines, events, recorded requests, and the file that these are in (spec: Status package 2).
 */
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writeApiDocs } from "../../build/docs/write-api-docs.ts";
import type { RequestPage } from "../../server/contract/console/traffic/requests.ts";
import { readDescription } from "../support/app/api-description.ts";
import type { DescribedServer } from "../support/app/described-call.ts";
import { send, validCall } from "../support/app/described-calls.ts";
import { invalidCalls } from "../support/app/invalid-calls.ts";
import { recordedLog } from "../support/quiet-log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { consoleToken, startTestApp } from "../support/app/test-app.ts";

const files = temporaryFolder();
const folder = join(files.path, "dist", "api-docs");
await writeApiDocs(folder);
const { log, lines } = recordedLog();
const app = await startTestApp({ settings: { basic_auth: true, raffle_draw_ms: 0 }, apiDocs: { folder }, log });
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  files[Symbol.dispose]();
});

interface Answer {
  readonly call: string;
  readonly headers: string;
  readonly body: string;
}
const answers: Answer[] = [];

/** Sees everything that leaves the server, whoever asked for it and however it is written. */
app.server.prependListener("request", (req: IncomingMessage, res: ServerResponse) => {
  const chunks: Buffer[] = [];
  for (const name of ["write", "end"] as const) {
    const original = res[name].bind(res) as (...given: unknown[]) => never;
    res[name] = (...given: unknown[]) => {
      const [chunk, encoding] = given;
      if (typeof chunk === "string") chunks.push(Buffer.from(chunk, encoding as BufferEncoding));
      else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
      return original(...given);
    };
  }
  res.once("close", () =>
    answers.push({
      call: `${req.method ?? ""} ${req.url ?? ""}`,
      headers: Object.entries(res.getHeaders())
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join("\n"),
      body: Buffer.concat(chunks).toString("utf8"),
    }),
  );
});

const authorized = { Authorization: `Bearer ${consoleToken}` };
const password = "correct horse"; // of the accounts that valid calls make
const operations = await readDescription(`${app.url}/swagger/docs/v1`);
const server: DescribedServer = { app, operations, session: await app.loggedIn(), scratch: files.path };
for (const operation of operations) {
  const valid = await validCall(operation, server);
  await send({ ...valid, headers: { ...valid.headers, Accept: "application/xml" } }, server);
  for (const { call } of invalidCalls(operation, await validCall(operation, server))) await send(call, server);
}
const short = "zq7Xw"; // messages about bad JSON quote no more than this
await fetch(`${app.url}/api/accounts`, {
  method: "POST",
  headers: { ...server.session, "Content-Type": "application/json" },
  body: `{"user":"x","password":${short}}`,
});
// A body of another type than it says, and bodies that cannot be read, have it in what their refusals may quote.
for (const [type, body] of [
  ["x-www-form-urlencoded", JSON.stringify({ user: "x", password: short })],
  ["x-www-form-urlencoded", `<a><user>x</user><password>${short}</password></a>`],
  ["x-www-form-urlencoded", `user=x&password=${short}%`],
  ["xml", `<a><user>x</user><password>a<${short}</password></a>`],
  ["xml", `<a><user>x</user><password>a<b ${short}</password></a>`],
] as const)
  await fetch(`${app.url}/api/accounts`, {
    method: "POST",
    headers: { ...server.session, "Content-Type": `application/${type}` },
    body,
  });
await fetch(`${app.url}/api/accounts/me`, {
  headers: { Authorization: `Basic ${Buffer.from(`x:${password}`).toString("base64")}` },
});
await app.db.schema.alterTable("records").renameTo("elsewhere").execute();
await app.post(`${app.url}/api/articles`, { title: "lost" }, server.session);
await app.db.schema.alterTable("elsewhere").renameTo("records").execute();

const users = await app.db.selectFrom("users").selectAll().execute();
const accounts = await app.db.selectFrom("records").select("data").where("collection", "=", "accounts").execute();
/** In the ways in which a text can carry it. */
const forms = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  Buffer.from(secret).toString("base64url"),
];
const never = [
  ...users.flatMap((user) => [user.openid, user.unionid ?? "", user.session_key, user.previous_session_key ?? ""]),
  ...accounts.map(({ data }) => (JSON.parse(data) as { password: string }).password),
  password,
]
  .filter(Boolean)
  .flatMap(forms)
  .concat(short);
const phones = users.flatMap(({ phone_number }) => (phone_number === null ? [] : forms(phone_number)));
// The description is full of examples, which are no secrets.
const own = answers.filter(({ call }) => !/ \/(?:console|swagger)\//.test(call));
const tokens = [
  ...new Set(
    own.flatMap(({ body }) =>
      [...body.matchAll(/access_token(?:"\s*:\s*"|>)([\w-]{43})/g)].map(([, one]) => one ?? ""),
    ),
  ),
];

/** A text, and what words of base64 in it stand for. */
const unpacked = (text: string) =>
  [text, ...(text.match(/[\w+/-]{60,}/g) ?? []).map((word) => Buffer.from(word, "base64").toString("latin1"))].join(
    "\n",
  );
const foundIn = (text: string, secrets: readonly string[]) => {
  const whole = unpacked(text);
  return secrets.filter((one) => whole.includes(one));
};
const culprits = (secrets: readonly string[], of: readonly Answer[] = own) =>
  of.filter(({ headers, body }) => foundIn(headers + body, secrets).length > 0).map(({ call }) => call);

/** A body without its status package. */
const withoutPackage = (body: string) =>
  body
    .replace(/("status":\{)"access_token":"[\w-]{43}"/, "$1")
    .replace(/(<status>)<access_token>[\w-]{43}<\/access_token>/, "$1");

describe("a secret", () => {
  it("was sent and produced in many answers of every operation, so that a leak would be found", () => {
    expect(users.length).toBeGreaterThan(3);
    expect(users.some(({ unionid }) => unionid !== null)).toBe(true);
    expect(accounts.length).toBeGreaterThan(1);
    expect(tokens.length).toBeGreaterThan(3);
    expect(own.length).toBeGreaterThan(20 * operations.length);
  });

  it("of the provider or a password is in no answer, neither body nor header", () => {
    expect(culprits(never)).toEqual([]);
  });

  it("like the phone number is in the answers of GET /api/phonenumbers/mine alone", () => {
    const told = [...new Set(culprits(phones).map((call) => call.split("?")[0]))];
    expect(told).toEqual(["GET /api/phonenumbers/mine"]);
  });

  it("like the token is in the status package alone", () => {
    const elsewhere = own.map((answer) => ({
      ...answer,
      headers: answer.headers.replace(/^status-package: .*$/im, ""),
      body: withoutPackage(answer.body),
    }));
    expect(culprits(tokens.flatMap(forms), elsewhere)).toEqual([]);
  });

  it("is in no line of the log", () => {
    expect(lines.length).toBeGreaterThan(own.length);
    expect(foundIn(lines.join("\n"), [...never, ...phones, ...tokens.flatMap(forms)])).toEqual([]);
  });

  it("is in no event", async () => {
    const text = JSON.stringify(await app.db.selectFrom("events").selectAll().execute());
    expect(text.length).toBeGreaterThan(1000);
    expect(foundIn(text, [...never, ...phones, ...tokens.flatMap(forms)])).toEqual([]);
  });

  it("is in no recorded request, nor in an export of them, nor in the file that they are stored in", async () => {
    const all = [...never, ...phones, ...tokens.flatMap(forms)];
    const get = async (path: string) =>
      (await fetch(`${app.url}/console/api/requests${path}`, { headers: authorized })).text();
    const har = await get("/har?limit=10000");
    expect(har.length).toBeGreaterThan(100 * own.length);
    expect(foundIn(har, all)).toEqual([]);
    const { requests } = JSON.parse(await get("?limit=500&path=/api/accounts/**")) as RequestPage;
    for (const { id } of requests)
      for (const path of [
        `/${String(id)}`,
        ...["curl", "fetch", "httpie"].map((one) => `/${String(id)}/snippets/${one}`),
      ])
        expect(foundIn(await get(path), all)).toEqual([]);
    for (const name of ["requests.db", "requests.db-wal"]) {
      const bytes = await readFile(join(app.folder, name), "latin1");
      expect(foundIn(bytes, all), name).toEqual([]);
    }
  });
});
