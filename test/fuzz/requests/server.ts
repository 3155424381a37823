/** The application server as the fuzzers meet it: with content, with people, and with an eye on what it leaves open. */
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { writeApiDocs } from "../../../build/docs/write-api-docs.ts";
import { expect } from "vitest";
import { pngBytes, zipBytes } from "../../support/files.ts";
import type { Answer } from "./answer.ts";
import type { Header } from "./headers.ts";
import type { Operation, Person } from "./request-families.ts";
import { recordedLog } from "../../support/quiet-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { bookSchema } from "../../support/app/user-collections.ts";
import { itemSchema } from "../../support/app/user-files.ts";
import { eventually } from "../../support/eventually.ts";

/** Something of everything that a user may have. */
async function addContent(app: TestApp, headers: Record<string, string>): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await app.post(`${app.url}/api/articles`, { title: `article ${String(i)}`, private: i === 2 }, headers);
    await app.post(`${app.url}/api/raffles`, { title: "r", entries: ["a", "b", "c"], prizes: 3 }, headers);
  }
  await upload(app, headers, "/api/uploads", "[]", new File([pngBytes(3, 3)], "a.png"));
  await upload(app, headers, "/api/uploads", "[]", new File([zipBytes({ "a.txt": "a" })], "a.zip"));
}

async function upload(app: TestApp, headers: Record<string, string>, path: string, part: string, file: File) {
  const body = new FormData();
  body.append(part, file);
  return fetch(`${app.url}${path}`, { method: "POST", body, headers, redirect: "manual" });
}

/** Collections of users' own: one with a login and all kinds of fields, one without, and a fixed answer. */
function writeCollections(folder: string): { collections_dir: string; routes_file: string } {
  const places = { collections_dir: join(folder, "collections"), routes_file: join(folder, "routes.json") };
  const notes = itemSchema(
    {
      text: { type: "string" },
      labels: { type: "object", additionalProperties: { type: "string" } },
      when: { type: "string", format: "date-time" },
      count: { anyOf: [{ type: "integer" }, { type: "null" }] },
      anything: {},
    },
    { required: ["text"], hearth: { access: "none", unique: ["count"] } },
  );
  mkdirSync(places.collections_dir);
  writeFileSync(join(places.collections_dir, "books.json"), JSON.stringify(bookSchema));
  writeFileSync(join(places.collections_dir, "notes.json"), JSON.stringify(notes));
  const weather = { path: "/api/weather/{city}", method: "POST", body: { degrees: 21, wind: null } };
  writeFileSync(places.routes_file, JSON.stringify({ routes: [weather] }));
  return places;
}

/** Files that this process has open, where the system tells. */
function openFiles(): string[] {
  if (process.platform !== "linux") return [];
  const targets = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ""; // the handle by which the folder itself was read
    }
  });
  return targets.filter((path) => path.startsWith("/")).sort();
}

/** Connections to a server beyond those that clients merely keep for later. */
function openConnections(server: Server): Promise<number> {
  server.closeIdleConnections();
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

export async function startFuzzServer() {
  const docs = temporaryFolder();
  mkdirSync(join(docs.path, "api-docs"));
  await writeApiDocs(join(docs.path, "api-docs"));
  const collections = writeCollections(docs.path);
  const { lines, log } = recordedLog();
  const app = await startTestApp({
    settings: { raffle_draw_ms: 0, basic_auth: true, ...collections },
    log,
    apiDocs: { folder: join(docs.path, "api-docs") },
  });
  mkdirSync(join(app.folder, "renderer"));
  writeFileSync(join(app.folder, "renderer", "index.html"), "<!doctype html><title>Hearth</title>");
  const tokens: Partial<Record<Person, string>> = {};
  let generation = 0;

  /** Logs everybody in anew: a request may have ended a session. */
  async function logIn(): Promise<void> {
    generation++;
    for (const person of ["alice", "bob"] as const) {
      const { Authorization = "" } = await app.loggedIn(`${person}-${String(generation)}`);
      tokens[person] = Authorization;
      await addContent(app, { Authorization });
    }
    tokens.half = `Bearer ${(await app.login(`half-${String(generation)}`)).access_token}`;
  }
  await logIn();

  const avatar = await upload(
    app,
    await app.loggedIn("avatar"),
    "/api/avatars",
    "Avatar",
    new File([pngBytes(2, 2)], "a.png"),
  );
  const page = avatar.headers.get("location") ?? "";
  const { paths } = await eventually(async () => {
    const description = (await (await fetch(`${app.url}/swagger/docs/v1`)).json()) as {
      paths: Record<string, Record<string, { requestBody?: unknown }>>;
    };
    expect(Object.keys(description.paths)).toEqual(expect.arrayContaining(["/api/books", "/api/notes/{id}"]));
    return description;
  });
  return {
    app,
    operations: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { requestBody }]): Operation => ({
        method: method.toUpperCase(),
        path,
        takesBody: requestBody !== undefined,
      })),
    ),
    /** Paths that are not described as operations, or with an id that exists. */
    extras: [
      ...["/", "/healthz", "/swagger", "/swagger/docs/v1", "/swagger/swagger-ui.css", "/console/"],
      ...["/console/api/overview", "/console/client.js", page, `${page}/image`],
    ],
    credentialsOf: (person: Person): Header[] => {
      const token = tokens[person];
      return token === undefined ? [] : [["Authorization", token]];
    },
    /** What the log has told since the last time of failures of the server's own. */
    failures: () =>
      lines.splice(0).flatMap((line) => {
        const { level, path, err } = JSON.parse(line) as { level: number; path?: string; err?: { stack?: string } };
        return level >= 50 ? [`${path ?? ""}: ${err?.stack ?? line}`] : [];
      }),
    openFiles,
    openConnections: () => openConnections(app.server),
    /** A user whom a request has logged out is logged in again, so that the next requests get past the door. */
    async notice(person: Person, { status, headers }: Answer): Promise<void> {
      if (status !== 401 || headers.get("www-authenticate") !== "Bearer" || person === "nobody") return;
      const token = { Authorization: tokens[person] ?? "" };
      if ((await fetch(`${app.url}/api/sessions/current`, { headers: token })).status === 401) await logIn();
    },
    /** Files of uploads that were never finished. */
    halfWritten: () => readdirSync(join(app.folder, "uploads", "incoming")),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      docs[Symbol.dispose]();
    },
  };
}
export type FuzzServer = Awaited<ReturnType<typeof startFuzzServer>>;
