import type { ServerResponse } from "node:http";

/** Adds headers to Vary. */
export function varyBy(res: ServerResponse, names: string): void {
  const before = res.getHeader("Vary");
  res.setHeader("Vary", before === undefined ? names : `${String(before)}, ${names}`);
}
