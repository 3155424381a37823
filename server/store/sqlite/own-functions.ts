/** Functions that Hearth's queries use and SQLite does not have. */
import type { SQLInputValue } from "node:sqlite";
import type { Sqlite } from "../native-sqlite.ts";

/** The member of a document at `$."a"."b"`. */
function memberAt(document: string, path: string): unknown {
  const steps = JSON.parse(`[${path.slice(2).replaceAll('"."', '","')}]`) as string[];
  return steps.reduce<unknown>(
    (held, step) =>
      typeof held === "object" && held !== null && Object.hasOwn(held, step) ? Reflect.get(held, step) : undefined,
    JSON.parse(document),
  );
}

export function addOwnFunctions(sqlite: Sqlite): void {
  sqlite.function("fold", (text: SQLInputValue) => (typeof text === "string" ? text.toLowerCase() : text));
  sqlite.function("json_has", (document: string, path: string, item: string) => {
    const list = memberAt(document, path);
    return Number(Array.isArray(list) && list.some((one) => JSON.stringify(one) === item));
  });
}
