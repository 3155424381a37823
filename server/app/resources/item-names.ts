import type { RecordStore } from "../../store/records/record-store.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

interface Deps {
  readonly definitions: () => readonly Pick<ResourceDefinition, "name" | "secretFields">[];
  readonly records: Pick<RecordStore, "get">;
}

/** Fields that usually hold what people call an item, in the order of preference. */
const nameFields = ["title", "name", "label", "subject", "username", "user_name"];
const longest = 100;

/** The names of items by `collection/id`; items without a field for a name are left out. */
export function createItemNames({ definitions, records }: Deps) {
  return async (keys: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const found = keys.map(async (key): Promise<[string, string][]> => {
      const [collection = "", id = ""] = key.split("/");
      const definition = definitions().find(({ name }) => name === collection);
      const record = definition && (await records.get(collection, Number(id)));
      const field = nameFields.find(
        (name) => !definition?.secretFields.includes(name) && typeof record?.data[name] === "string",
      );
      const name = field === undefined ? "" : String(record?.data[field]).trim().slice(0, longest);
      return name === "" ? [] : [[key, name]];
    });
    return new Map((await Promise.all(found)).flat());
  };
}
