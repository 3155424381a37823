import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { consoleToken, type TestApp } from "./test-app.ts";
import { eventually } from "../eventually.ts";

export const authorized = { Authorization: `Bearer ${consoleToken}` };

/** A schema of an item; `hearth` is its x-hearth. */
export const itemSchema = (
  properties: object,
  { hearth, ...more }: { hearth?: object; [keyword: string]: unknown } = {},
) => ({
  type: "object",
  properties,
  ...more,
  ...(hearth && { "x-hearth": hearth }),
});

/** The files that users of a running test server write, and what it tells of them. */
export function userFiles(app: TestApp) {
  const folder = app.settings.collections_dir ?? join(app.folder, "collections");
  const routeFile = join(app.folder, "routes.json");
  const pathOf = (name: string) => join(folder, `${name}.json`);

  async function events(type: string): Promise<Record<string, unknown>[]> {
    const response = await fetch(`${app.url}/console/api/events?limit=500&type=${type}`, { headers: authorized });
    const { events: found } = (await response.json()) as { events: { data: Record<string, unknown> }[] };
    return found.map(({ data }) => data);
  }
  /** Does something, and waits until one more event of this type tells of it. */
  async function told(type: string, act: () => void): Promise<Record<string, unknown>> {
    const before = (await events(type)).length;
    act();
    return eventually(async () => {
      const [newest, ...older] = await events(type);
      if (newest === undefined || older.length < before) throw new Error(`nothing was told of ${type}`);
      return newest;
    });
  }
  const write = (file: string, content: unknown) =>
    writeFileSync(
      file,
      typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content, null, 2),
    );
  const writeSchema = (name: string, content: unknown) => {
    mkdirSync(folder, { recursive: true });
    write(pathOf(name), content);
  };

  return {
    folder,
    routeFile,
    pathOf,
    events,
    told,
    write: writeSchema,
    /** Writes a schema file and waits until it is served. */
    load: (name: string, content: unknown) => told("collection.loaded", () => writeSchema(name, content)),
    /** Writes a schema file and waits until it is refused. */
    fail: (name: string, content: unknown) => told("collection.failed", () => writeSchema(name, content)),
    remove: (name: string) => told("collection.removed", () => rmSync(pathOf(name))),
    loadRoutes: (content: unknown) => told("routes.loaded", () => write(routeFile, content)),
    failRoutes: (content: unknown) => told("routes.failed", () => write(routeFile, content)),
  };
}
