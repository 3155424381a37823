/** Why the address by which the page was opened did not let the browser in. */
export type Refusal = "refused" | "later";

/** Reads what the server has left in the address, and takes it out of there. */
export function takeRefusal({ hash, pathname, search }: Location, history: History): Refusal | undefined {
  const [, found] = /^#login=(refused|later)$/.exec(hash) ?? [];
  if (found !== undefined) history.replaceState(history.state, "", pathname + search);
  return found as Refusal | undefined;
}
