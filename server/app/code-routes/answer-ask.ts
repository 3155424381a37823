/** Answers questions of the code about the items of collections. The arguments are whatever the code passed. */
import { isObject } from "../../contract/is-object.ts";
import { refuse } from "../../http/http-error.ts";
import type { CodeAsk } from "./child-messages.ts";

type Fields = Readonly<Record<string, unknown>>;
type Id = number | string;

/** The items of collections, by the collection's name. */
export interface AskedItems {
  list(name: string, query: Fields): Promise<unknown>;
  get(name: string, id: Id): Promise<unknown>;
  create(name: string, data: Fields, ownerId?: number): Promise<unknown>;
  update(name: string, id: Id, patch: Fields): Promise<unknown>;
  remove(name: string, id: Id): Promise<boolean>;
}

const wrong = (field: string) => refuse("route.argument", { field }, { field });

function fieldsOf(value: unknown, name: string): Fields {
  if (isObject(value)) return value;
  throw wrong(name);
}

function idOf(value: unknown): Id {
  if (typeof value === "string" || (typeof value === "number" && Number.isSafeInteger(value))) return value;
  throw wrong("id");
}

/** @throws HttpError */
export async function answerAsk(items: AskedItems, { collection, action, args }: CodeAsk): Promise<unknown> {
  const [first, second] = args;
  switch (action) {
    case "list":
      return items.list(collection, fieldsOf(first, "query"));
    case "get":
      return items.get(collection, idOf(first));
    case "create":
      if (second !== undefined && !Number.isSafeInteger(second)) throw wrong("owner");
      return items.create(collection, fieldsOf(first, "data"), second as number | undefined);
    case "update":
      return items.update(collection, idOf(first), fieldsOf(second, "patch"));
    case "remove":
      return items.remove(collection, idOf(first));
  }
}
