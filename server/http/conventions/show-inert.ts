import type { ServerResponse } from "node:http";

/** Makes a browser display foreign bytes by their stated type, without running or loading anything. */
export function showInert(res: ServerResponse): void {
  res.setHeader("X-Content-Type-Options", "nosniff");
  res.setHeader("Content-Security-Policy", "default-src 'none'; sandbox");
}
