import { createKey, deleteKey, listKeys } from "../../contract/console/key-endpoints.ts";
import { notFound } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import type { KeyFile } from "../../process/keys/key-file.ts";

/** The console's operations on keys. */
export const keysConsoleRoutes = (file: KeyFile): Route[] => [
  route(listKeys, () => ({ data: { keys: [...file.list()] } })),
  route(createKey, async ({ body }) => ({ data: await file.add(body), headers: { "Cache-Control": "no-store" } })),
  route(deleteKey, async ({ params: { id } }) => {
    if (!(await file.remove(id))) throw notFound(`There is no key ${id}.`);
    return {};
  }),
];
