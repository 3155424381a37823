import type { ServerResponse } from "node:http";

/** Adds headers to Vary, each once. */
export function varyBy(res: ServerResponse, ...names: readonly string[]): void {
  const before = String(res.getHeader("Vary") ?? "");
  let after = before;
  for (const name of names) if (!lists(after, name)) after = after === "" ? name : `${after}, ${name}`;
  if (after !== before) res.setHeader("Vary", after);
}

/** Each answer comes here several times, so that the list is only split where it seems to have the name. */
const lists = (vary: string, name: string) => vary.includes(name) && vary.split(", ").includes(name);
