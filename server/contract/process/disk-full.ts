/** The error codes of files and databases for a full disk. */
const codes = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);

/** Whether a full disk caused a failure, at any depth of its causes. */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, syscall, cause } = error as { code?: unknown; syscall?: unknown; cause?: unknown };
  // The system says ENOSPC also when it has no watch left for another folder.
  return (codes.has(String(code)) && syscall !== "watch") || isDiskFull(cause);
}
