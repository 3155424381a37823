import { addItems, removeCollection, saveSchema } from "../../../../server/contract/console/data/schema-endpoints.ts";
import type { Call } from "../../../api/http/call.ts";
import type { FileRow } from "./read-rows.ts";

export interface NewCollection {
  readonly name: string;
  /** The content of its schema file. */
  readonly text: string;
  readonly items: readonly FileRow[];
}

/** Serves the schema, then adds the items, whose number it resolves to. Nothing stays where they are refused. */
export async function createCollection(call: Call, { name, text, items }: NewCollection): Promise<number> {
  await call(saveSchema, { params: { name }, body: { text, create: true } });
  if (items.length === 0) return 0;
  try {
    return (await call(addItems, { params: { name }, body: { items: [...items] } })).added;
  } catch (error) {
    // The name would be taken when the user tries again.
    await call(removeCollection, { params: { name } }).catch(() => undefined);
    throw error;
  }
}
