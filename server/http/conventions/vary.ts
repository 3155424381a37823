import type { ServerResponse } from "node:http";

/** Adds names of headers to those that the answer depends on. */
export function varyBy(res: ServerResponse, names: string): void {
  const before = res.getHeader("Vary");
  res.setHeader("Vary", before === undefined ? names : `${String(before)}, ${names}`);
}
