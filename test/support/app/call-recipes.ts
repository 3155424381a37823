/** What operations need that their description cannot say: state that must be there, values that the platform makes. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { UserPage } from "../../../server/contract/console/console-users.ts";
import { notification, orderByCode, orderParams, paidOrder } from "../payments/described-orders.ts";
import { pngBytes, zipBytes } from "../files.ts";
import type { Call, DescribedServer } from "./described-call.ts";
import { waitingDevice } from "./lan-caller.ts";
import { consoleToken } from "./test-app.ts";

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

export const recipes: Readonly<Record<string, Recipe>> = {
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
  putChat: async () => ({ params: { id: "chat" }, body: { content: { turns: [] } } }),
  deleteChat: async () => ({ params: { id: "chat" } }),
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
  deleteKey: async ({ app }) => {
    const headers = { Authorization: `Bearer ${consoleToken}` };
    const made = await app.post(`${app.url}/console/api/keys`, { name: "k", scopes: ["control"] }, headers);
    return { params: { id: ((await made.json()) as { key: { id: string } }).key.id } };
  },
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

/** Leaves a request to be found among the recorded ones, and a browser that is logged in. */
export async function record({ app, session }: DescribedServer): Promise<void> {
  await fetch(`${app.url}/api/sessions/current`, { headers: session });
  await fetch(`${app.consoleUrl}/console/?token=${consoleToken}`, { redirect: "manual" });
}

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
