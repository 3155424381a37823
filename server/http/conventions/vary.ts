import type { ServerResponse } from "node:http";

/** Adds headers to Vary, each once. */
export function varyBy(res: ServerResponse, ...names: readonly string[]): void {
  const before = String(res.getHeader("Vary") ?? "");
  let after = before;
  for (const name of names) if (!lists(after, name)) after = after === "" ? name : `${after}, ${name}`;
  if (after !== before) res.setHeader("Vary", after);
}

/** Called several times for each answer, so that the list is only split if it may contain the name. */
const lists = (vary: string, name: string) => vary.includes(name) && vary.split(", ").includes(name);
