import { percentDecoded } from "../../contract/percent-decoded.ts";
import type { RecordStore } from "../../store/records/record-store.ts";
import { findRecord, type ResourceDefinition } from "./resource-definition.ts";

interface Deps {
  readonly definitions: () => readonly Pick<ResourceDefinition, "name" | "idKind" | "secretFields">[];
  readonly records: Pick<RecordStore, "get">;
}

/** Fields that usually hold what people call an item, in the order of preference. */
const nameFields = ["title", "name", "label", "subject", "username", "user_name"];
const longest = 100;

/** The names of items by `collection/id`, with the id as in a path; items without a field for a name are left out. */
export function createItemNames({ definitions, records }: Deps) {
  return async (keys: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const found = keys.map(async (key): Promise<[string, string][]> => {
      const [collection = "", id = ""] = key.split("/");
      const definition = definitions().find(({ name }) => name === collection);
      const record = definition && (await findRecord(records, definition, percentDecoded(id)));
      const field = nameFields.find(
        (name) => !definition?.secretFields.includes(name) && typeof record?.data[name] === "string",
      );
      const name = field === undefined ? "" : String(record?.data[field]).trim().slice(0, longest);
      return name === "" ? [] : [[key, name]];
    });
    return new Map((await Promise.all(found)).flat());
  };
}
