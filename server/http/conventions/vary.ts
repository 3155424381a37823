import type { ServerResponse } from "node:http";

/** Adds headers to Vary, each once. */
export function varyBy(res: ServerResponse, ...names: readonly string[]): void {
  const before = res.getHeader("Vary");
  const all = new Set([...(before === undefined ? [] : String(before).split(", ")), ...names]);
  res.setHeader("Vary", [...all].join(", "));
}
