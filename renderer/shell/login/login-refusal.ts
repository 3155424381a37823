/** Why the address that opened the page did not log the browser in. */
export type LoginRefusal = "refused" | "later";

/** Reads the server's result from the address, and removes it there. */
export function takeRefusal({ hash, pathname, search }: Location, history: History): LoginRefusal | undefined {
  const [, found] = /^#login=(refused|later)$/.exec(hash) ?? [];
  if (found !== undefined) history.replaceState(history.state, "", pathname + search);
  return found as LoginRefusal | undefined;
}
