/** What the conformance tests share: reading replies, and the folder of documentation files that a server describes itself by. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { statusPackageHeader, type StatusPackage } from "../../server/contract/app/status-package.ts";
import type { Settings } from "../../server/contract/process/settings.ts";
import { consoleToken, startTestApp, type TestApp } from "../support/app/test-app.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a wire object, looked at by the test
export type Wire = any;

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
export const asConsole = bearer(consoleToken);
export const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

export const bodyOf = async (reply: Response): Promise<Wire> => reply.json();

/** Status, and the step that a 401 names. */
export const stepOf = (reply: Response): [number, string | null] => [
  reply.status,
  reply.headers.get("www-authenticate"),
];

/** The status package of a reply: in its header where there is no body for it, else in the body. */
export async function packageOf(reply: Response): Promise<StatusPackage | undefined> {
  const header = reply.headers.get(statusPackageHeader);
  const text = await reply.clone().text();
  if (header !== null) return JSON.parse(Buffer.from(header, "base64url").toString()) as StatusPackage;
  return text === "" ? undefined : (JSON.parse(text) as { status?: StatusPackage }).status;
}

/** A request with a JSON body, where one is given. */
export const send = (url: string, method: string, headers: Record<string, string>, body?: unknown) =>
  fetch(url, {
    method,
    redirect: "manual",
    headers: { ...headers, ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** A folder with the documentation files of some build configurations, in which every operation has this summary. */
export function documentationFolder(configurations: readonly ("Debug" | "Release")[], summary = "As documented.") {
  const folder = temporaryFolder();
  const members = ["*.list", "*.create", "*.get", "*.replace", "*.update", "*.remove", "createFileEvent"];
  const member = (name: string) => `<member name="M:${name}"><summary>${summary}</summary></member>`;
  for (const configuration of configurations) {
    mkdirSync(join(folder.path, configuration));
    writeFileSync(
      join(folder.path, configuration, "hearth.xml"),
      `<?xml version="1.0" encoding="utf-8"?><doc><members>${members.map(member).join("")}</members></doc>`,
    );
  }
  return folder;
}

/** A server that describes itself by documentation files of its own, for a suite to start and to stop. */
export function describedServer(options: { settings?: Partial<Settings>; summary?: string } = {}) {
  const docs = documentationFolder(["Debug", "Release"], options.summary);
  let app: TestApp | undefined;
  const start = async () =>
    (app = await startTestApp({ settings: options.settings ?? {}, apiDocs: { folder: docs.path } }));
  return {
    /** The folder of the documentation files. */
    docs: docs.path,
    start,
    /** Starts it and answers it with the headers of a complete session. */
    startLoggedIn: async () => {
      const started = await start();
      return { app: started, headers: await started.loggedIn() };
    },
    stop: async () => {
      await app?.[Symbol.asyncDispose]();
      docs[Symbol.dispose]();
    },
  };
}

/** A part of a description, with the reference followed where it is one. */
export function resolved(description: Wire, part: Wire): Wire {
  const reference = part?.$ref as string | undefined;
  if (reference === undefined) return part;
  return resolved(
    description,
    reference
      .slice(2)
      .split("/")
      .reduce((at, step) => at[step], description),
  );
}
