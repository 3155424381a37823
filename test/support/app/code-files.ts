import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { eventually } from "../eventually.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { startTestApp, type TestApp } from "./test-app.ts";

type Options = Parameters<typeof startTestApp>[0] & { readonly files?: Readonly<Record<string, string>> };

/** A file of routes: the body of the function that adds them. */
export const routesFile = (body: string, names = "get, post, put, patch, del, sse, state, db") =>
  `import { defineRoutes, fail, reply } from "hearthkit/routes";\nexport default defineRoutes(({ ${names} }) => {\n${body}\n});\n`;

/** A running application server with the code of routes. */
export async function startWithCode(body: string, { files = {}, settings, ...options }: Options = {}) {
  const folder = temporaryFolder();
  const main = join(folder.path, "hearth.routes.ts");
  const write = (name: string, text: string) => {
    const file = join(folder.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  for (const [name, text] of Object.entries({ "hearth.routes.ts": routesFile(body), ...files })) write(name, text);
  const app: TestApp = await startTestApp({ ...options, settings: { ...settings, routes: main } });
  const get = (path: string, init?: RequestInit) => fetch(app.url + path, { redirect: "manual", ...init });
  return {
    app,
    main,
    folder: folder.path,
    write,
    get,
    json: async (path: string, init?: RequestInit): Promise<unknown> => (await get(path, init)).json(),
    /** Waits until the route answers a text. */
    answers: (path: string, text: string) =>
      eventually(async () => {
        const found = await (await get(path)).text();
        if (!found.includes(text)) throw new Error(`${path} answers ${found}`);
      }),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
