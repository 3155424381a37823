/** The address of a PostgreSQL database, for people to read: without passwords and other parameters. */
export function withoutPassword(url: string): string {
  const { protocol, username, host, pathname, searchParams } = new URL(url);
  const at = searchParams.get("host");
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}${at === null ? "" : `?host=${at}`}`;
}
