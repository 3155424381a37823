/** Calls of the operations that a description has, on a running application server. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { vi } from "vitest";
import type { UserPage } from "../../../server/contract/console/console-users.ts";
import type { Operation, Parameter } from "./api-description.ts";
import { notification, orderByCode, orderParams, paidOrder } from "../payments/described-orders.ts";
import { pngBytes, zipBytes } from "../files.ts";
import { waitingDevice } from "./lan-caller.ts";
import type { ReceivedReply } from "./reply-checker.ts";
import { consoleToken, type TestApp } from "./test-app.ts";

/** A call that can be changed before it is sent. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent instead of `body`, which is JSON or a form by the content type. */
  readonly raw?: RequestInit["body"];
}

export interface DescribedServer {
  readonly app: TestApp;
  readonly operations: readonly Operation[];
  /** Headers of one session that has passed every step: the provider limits how often a user may log in. */
  readonly session: Readonly<Record<string, string>>;
  /** A folder beside the server's own. */
  readonly scratch: string;
}

/** What an operation needs that its description cannot say: state that must be there, values that the platform makes. */
type Recipe = (
  server: DescribedServer,
) => Promise<Partial<Pick<Call, "params" | "headers" | "body" | "query" | "raw">>>;

let unique = 0;
const upload = async (
  { app, session }: DescribedServer,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> => {
  const form = new FormData();
  form.set("[]", new Blob([bytes]), name);
  const reply = await fetch(`${app.url}/api/uploads`, { method: "POST", headers: session, body: form });
  return String(((await reply.json()) as { id: number }).id);
};
const account = async () => ({ body: { user: `user${String(++unique)}`, password: "correct horse" } });

const recipes: Readonly<Record<string, Recipe>> = {
  createSession: async ({ app }) => {
    const { code } = (await app.sim(`person${String(++unique)}`, "login")) as { code: string };
    return { body: { code } };
  },
  deleteCurrentSession: async ({ app }) => ({ headers: await app.loggedIn(`person${String(++unique)}`) }),
  createLogin: async ({ app }) => {
    const headers = { Authorization: `Bearer ${consoleToken}` };
    const made = await app.post(`${app.url}/console/api/login-codes`, undefined, headers);
    return { body: { code: ((await made.json()) as { code: string }).code } };
  },
  createUserInfo: async ({ app }) => ({ body: withoutPrompted(await app.sim("alice", "user-info")) }),
  createPhoneNumber: async ({ app }) => ({ body: withoutPrompted(await app.sim("alice", "phone-number")) }),
  createAccount: account,
  replaceAccount: account,
  updateAccount: account,
  getMyAccount: async ({ app, session }) => {
    const { body } = await account();
    await app.post(`${app.url}/api/accounts`, body, session);
    return { headers: { Authorization: `Basic ${Buffer.from(`${body.user}:${body.password}`).toString("base64")}` } };
  },
  getAvatarPage: avatarParams,
  getAvatarImage: avatarParams,
  listUploadEntries: async (server) => ({ params: { id: await upload(server, "a.zip", zipBytes({ "a.txt": "a" })) } }),
  listStoredUploadEntries: async (server) => ({
    params: { id: await upload(server, "a.zip", zipBytes({ "a.txt": "a" })) },
  }),
  getStoredUploadThumbnail: async (server) => ({ params: { id: await upload(server, "a.png", pngBytes(2, 2)) } }),
  createItem: async () => ({ body: { data: { title: "A title" } } }),
  getItem: itemParams,
  replaceItem: async (server) => ({ ...(await itemParams(server)), body: { version: 1, data: { title: "Another" } } }),
  deleteItem: itemParams,
  undoItemChange: async ({ app }) => {
    const path = `${app.url}/console/api/collections/articles/items`;
    await app.post(path, { data: { title: "A title" } }, { Authorization: `Bearer ${consoleToken}` });
    return { body: {} };
  },
  getSchema: ownCollection,
  removeCollection: ownCollection,
  addItems: async (server) => ({ ...(await ownCollection(server)), body: { items: [{ title: "A title" }] } }),
  getStoredUploadContent: async (server) => ({ params: { id: await upload(server, "a.png", pngBytes(2, 2)) } }),
  sendRequest: async () => ({ body: { path: "/api/articles" } }),
  waitForRequests: async (server) => {
    await record(server);
    return { query: "path=/api/sessions/current" };
  },
  assertRequests: async (server) => {
    await record(server);
    return { body: { path: "/api/sessions/current", timeout_ms: 5_000 } };
  },
  createWatchedFolder: async ({ scratch }) => {
    const path = join(scratch, `watched-${String(++unique)}`);
    await mkdir(path);
    return { body: { path } };
  },
  setClock: async () => ({ body: { offset_ms: 0 } }),
  createFault: async () => ({ body: fault }),
  replaceFaults: async () => ({ body: { faults: [fault] } }),
  createReset: async () => ({ body: { parts: ["bans"] } }),
  getFixture: fixtureParams,
  loadFixture: fixtureParams,
  deleteFixture: fixtureParams,
  matchExcludePatterns: async () => ({ body: { exclude: ["[.]swp$"], sample: ["a.swp"] } }),
  createRefund: async (server) => ({ params: { id: await paidOrder(server) } }),
  createReversal: async (server) => ({ params: { id: await orderByCode(server) } }),
  createPaymentNotification: notification,
  createRefundNotification: notification,
  getStoredOrder: orderParams,
  queryStoredOrder: orderParams,
  closeStoredOrder: orderParams,
  refundStoredOrder: async (server) => ({ params: { id: await paidOrder(server) } }),
  reverseStoredOrder: async (server) => ({ params: { id: await orderByCode(server) } }),
  getUser: userParams,
  forgetUserInfo: userParams,
  forgetPhoneNumber: userParams,
  changeSession: sessionParams,
  revokeSession: sessionParams,
  admitLanDevice: ({ app }) => waitingDevice(app, ++unique),
  removeLanDevice: ({ app }) => waitingDevice(app, ++unique),
  deleteBan: async ({ app }) => {
    const headers = { Authorization: `Bearer ${consoleToken}` };
    await fetch(`${app.url}/console/api/bans/192.0.2.7`, { method: "PUT", headers });
    return {};
  },
};

/** An article of the session, as an item of its collection. */
async function itemParams({ app, session }: DescribedServer) {
  const reply = await app.post(`${app.url}/api/articles`, { title: "A title" }, session);
  return { params: { name: "articles", id: String(((await reply.json()) as { data: { id: number } }).data.id) } };
}

/** A collection of its own, by a schema file. */
async function ownCollection({ app }: DescribedServer) {
  await fetch(`${app.url}/console/api/collections/books/schema`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${consoleToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ text: '{"type": "object", "properties": {"title": {"type": "string"}}}' }),
  });
  return { params: { name: "books" } };
}

/** A user of its own, whom others do not miss. */
async function newUser({ app }: DescribedServer) {
  const person = `person${String(++unique)}`;
  await app.login(person);
  const reply = await fetch(`${app.url}/console/api/users?q=${person}`, {
    headers: { Authorization: `Bearer ${consoleToken}` },
  });
  return ((await reply.json()) as UserPage).users[0];
}

async function userParams(server: DescribedServer) {
  return { params: { id: String((await newUser(server))?.id) } };
}

async function sessionParams(server: DescribedServer) {
  return { params: { id: String((await newUser(server))?.newest_session?.id) } };
}

/** For a path that nobody asks for. */
const fault = { path: "/no/such/place", status: 503 };

async function fixtureParams({ app }: DescribedServer) {
  await fetch(`${app.url}/console/api/fixtures/example`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${consoleToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ parts: ["file_events"] }),
  });
  return { params: { name: "example" } };
}

/** Leaves a request to be found among the recorded ones. */
const record = async ({ app, session }: DescribedServer) =>
  fetch(`${app.url}/api/sessions/current`, { headers: session });

async function avatarParams({ app, session }: DescribedServer) {
  const form = new FormData();
  form.set("Avatar", new Blob([pngBytes(2, 2)]), "a.png");
  const init = { method: "POST", headers: session, body: form, redirect: "manual" } as const;
  const { headers } = await fetch(`${app.url}/api/avatars`, init);
  return { params: { publicId: headers.get("location")?.split("/").at(-1) ?? "" } };
}

function withoutPrompted(detail: unknown): unknown {
  const { prompted, ...rest } = detail as Record<string, unknown>;
  void prompted;
  return rest;
}

/** Headers by the operation's own way to be let in. */
function credentials({ security }: Operation, { session }: DescribedServer): Readonly<Record<string, string>> {
  if (security.some((way) => "sessionToken" in way)) return session;
  return security.some((way) => "consoleToken" in way) ? { Authorization: `Bearer ${consoleToken}` } : {};
}

/** The media type in which a call sends its body: JSON where there is a choice. */
export const sentType = ({ requestBody }: Operation): string | undefined => {
  const types = Object.keys(requestBody?.content ?? {});
  return types.find((one) => one === "application/json") ?? types[0];
};

/** A call that the description says is valid, by its examples and by what the operation needs besides. */
export async function validCall(operation: Operation, server: DescribedServer): Promise<Call> {
  const { method, path, operationId } = operation;
  const recipe = (await recipes[operationId]?.(server)) ?? {};
  const type = sentType(operation);
  const content = type === undefined ? undefined : operation.requestBody?.content[type];
  const isMultipart = type === "multipart/form-data";
  return {
    method,
    path,
    params: recipe.params ?? (await exampleParams(operation, server)),
    query: recipe.query ?? requiredQuery(operation.parameters ?? []),
    headers: {
      ...(type !== undefined && !isMultipart && { "Content-Type": type }),
      ...(recipe.headers ?? credentials(operation, server)),
    },
    ...(recipe.raw !== undefined && { raw: recipe.raw }),
    ...(isMultipart ? { raw: multipart(content?.schema ?? {}) } : { body: recipe.body ?? content?.example }),
  };
}

function multipart(schema: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, one] of Object.entries((schema["properties"] ?? {}) as Record<string, Record<string, unknown>>))
    if (one["format"] === "binary") form.set(name, new Blob([pngBytes(2, 2)]), "picture.png");
    else form.set(name, (one["examples"] as string[] | undefined)?.[0] ?? "text");
  return form;
}

const requiredQuery = (parameters: readonly Parameter[]) =>
  parameters
    .filter((one) => one.in === "query" && one.required)
    .map(({ name, schema, example }) => `${name}=${String(example ?? (schema["examples"] as unknown[])[0])}`)
    .join("&");

/** An id of something that the path's own collection has, made or found; the parameters' examples for the others. */
async function exampleParams(operation: Operation, server: DescribedServer): Promise<Record<string, string>> {
  const params = (operation.parameters ?? []).filter((one) => one.in === "path");
  const examples = Object.fromEntries(params.map(({ name, example }) => [name, String(example)]));
  if (!("id" in examples)) return examples;
  const collection = operation.path.slice(0, operation.path.indexOf("/{id}"));
  return { ...examples, id: (await createdId(collection, server)) ?? (await listedId(collection, server)) ?? "1" };
}

async function createdId(path: string, server: DescribedServer): Promise<string | undefined> {
  const create = server.operations.find((one) => one.path === path && one.method === "POST");
  if (!create) return undefined;
  const { status, headers, text } = await send(await validCall(create, server), server);
  if (status !== 201) throw new Error(`POST ${path} answered ${String(status)}: ${text}`);
  return headers.get("location")?.split("/").at(-1);
}

async function listedId(path: string, server: DescribedServer): Promise<string | undefined> {
  const list = server.operations.find((one) => one.path === path && one.method === "GET");
  if (!list) return undefined;
  await record(server);
  return vi.waitFor(
    async () => {
      const { text } = await send(await validCall(list, server), server);
      const id = /"id":"?([\w-]+)/.exec(text)?.[1];
      if (id === undefined) throw new Error(`GET ${path} lists nothing of which there is an id: ${text}`);
      return id;
    },
    { timeout: 10_000 },
  );
}

/** Sends a call; a redirect is a reply like any other, and of a stream of events only the head is read. */
export async function send(call: Call, { app }: { readonly app: { readonly url: string } }): Promise<ReceivedReply> {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.params[name] ?? ""));
  const response = await fetch(`${app.url}${path}${call.query === "" ? "" : `?${call.query}`}`, {
    method: call.method,
    headers: call.headers,
    redirect: "manual",
    body: call.raw ?? writtenBody(call) ?? null,
  });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (isStream) await response.body?.cancel();
  return { status: response.status, headers: response.headers, text: isStream ? "" : await response.text() };
}

function writtenBody({ body, headers }: Call): string | undefined {
  if (body === undefined) return undefined;
  if (headers["Content-Type"] !== "application/x-www-form-urlencoded") return JSON.stringify(body);
  const fields = typeof body === "object" && body !== null ? Object.entries(body) : [];
  return new URLSearchParams(
    fields.map(([name, value]): [string, string] => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  ).toString();
}
