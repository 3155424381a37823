/** Functions that Hearth's queries use and SQLite does not have. */
import type Sqlite from "better-sqlite3";

/** The member of a document at `$."a"."b"`. */
function memberAt(document: string, path: string): unknown {
  const steps = JSON.parse(`[${path.slice(2).replaceAll('"."', '","')}]`) as string[];
  return steps.reduce<unknown>(
    (held, step) =>
      typeof held === "object" && held !== null && Object.hasOwn(held, step) ? Reflect.get(held, step) : undefined,
    JSON.parse(document),
  );
}

export function addOwnFunctions(sqlite: Sqlite.Database): void {
  const options = { deterministic: true };
  sqlite.function("fold", options, (text: unknown) => (typeof text === "string" ? text.toLowerCase() : text));
  sqlite.function("json_has", options, (document: string, path: string, item: string) => {
    const list = memberAt(document, path);
    return Number(Array.isArray(list) && list.some((one) => JSON.stringify(one) === item));
  });
}
