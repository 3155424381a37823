/** The error codes of files and databases for a full disk. */
const codes = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);

/** Whether a full disk caused a failure, at any depth of its causes. */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return codes.has(String(code)) || isDiskFull(cause);
}
