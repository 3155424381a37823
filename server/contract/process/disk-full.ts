/** The error codes of files and databases for a full disk. */
const codes = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);
/** SQLite's number for it, in errors of Node's own SQLite (SQLITE_FULL). */
const sqliteFull = 13;

/** Whether a full disk caused a failure, at any depth of its causes. */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, errcode, syscall, cause } = error as Readonly<Record<string, unknown>>;
  // The system says ENOSPC also when it has no watch left for another folder.
  return (codes.has(String(code)) && syscall !== "watch") || errcode === sqliteFull || isDiskFull(cause);
}
