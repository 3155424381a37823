/** What files and databases say where no room is left. */
const codes = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);

/** Whether a full disk is behind a failure, at whatever depth of its causes. */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return codes.has(String(code)) || isDiskFull(cause);
}
