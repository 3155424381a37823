import { writeApiDocs } from "../../../build/docs/write-api-docs.ts";
import type { Settings } from "../../../server/contract/process/settings.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { startTestApp } from "./test-app.ts";
import { itemSchema, userFiles } from "./user-files.ts";

interface Item {
  id: number;
  [field: string]: unknown;
}
interface Answer {
  data?: Item & Item[];
  Message?: string;
  code?: string;
  details?: { field: string; problem: string }[];
  status?: object;
}

/** A test server whose users define collections, two of its clients, and calls below /api as the first of them. */
export async function startUserCollections(settings: Partial<Settings> = {}) {
  const docs = temporaryFolder();
  await writeApiDocs(docs.path);
  const app = await startTestApp({ apiDocs: { folder: docs.path }, settings });
  const [alice, bob] = [await app.loggedIn("alice"), await app.loggedIn("bob")];

  async function call(path: string, method = "GET", body?: unknown, headers: Record<string, string> = alice) {
    const response = await fetch(`${app.url}/api/${path}`, {
      method,
      headers: { ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    const json = (isJson && text !== "" ? JSON.parse(text) : {}) as Answer;
    return { status: response.status, headers: response.headers, text, json };
  }

  return {
    app,
    files: userFiles(app),
    alice,
    bob,
    call,
    list: async (path: string, headers = alice): Promise<Item[]> =>
      (await call(path, "GET", undefined, headers)).json.data ?? [],
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      docs[Symbol.dispose]();
    },
  };
}

export const bookSchema = itemSchema(
  {
    title: { type: "string", minLength: 1, maxLength: 80 },
    pages: { type: "integer", minimum: 1 },
    price: { type: "number", minimum: 0, multipleOf: 0.25 },
    stock: { type: "boolean", default: true },
    isbn: { type: "string", pattern: "^[0-9]{10}$" },
    genre: { enum: ["novel", "poems"], default: "novel" },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true },
    publisher: { $ref: "#/$defs/publisher" },
  },
  {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Book",
    description: "What stands on the shelves.",
    required: ["title"],
    additionalProperties: false,
    $defs: {
      publisher: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" }, phone: { type: "string", writeOnly: true } },
      },
    },
    hearth: { unique: ["isbn"] },
  },
);
