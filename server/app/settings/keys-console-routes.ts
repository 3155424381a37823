import { createKey, deleteKey, listKeys } from "../../contract/console/key-endpoints.ts";
import { refuse } from "../../http/http-error.ts";
import { keyUnknown } from "../../http/keys/key-gate.ts";
import { notesOf } from "../../http/recording/exchange-notes.ts";
import { route, type Route } from "../../http/route.ts";
import { MakerGoneError, type KeyFile } from "../../process/keys/key-file.ts";

/** The console's operations on keys. */
export const keysConsoleRoutes = (file: KeyFile): Route[] => [
  route(listKeys, () => ({ data: { keys: [...file.list()] } })),
  route(createKey, async ({ body }, { res }) => {
    const data = await file.add(body, notesOf(res).key).catch((error: unknown) => {
      throw error instanceof MakerGoneError ? keyUnknown() : error;
    });
    return { data, headers: { "Cache-Control": "no-store" } };
  }),
  route(deleteKey, async ({ params: { id } }) => {
    if ((await file.remove(id)).length === 0) throw refuse("key.none", { id });
  }),
];
