import type { ServerResponse } from "node:http";

/** Makes a browser show foreign bytes as what they are said to be, and run and load nothing of them. */
export function showInert(res: ServerResponse): void {
  res.setHeader("X-Content-Type-Options", "nosniff");
  res.setHeader("Content-Security-Policy", "default-src 'none'; sandbox");
}
