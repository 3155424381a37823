/**
 * The origin and the token with which a program calls the console of a run.
 * @param console the address with the run's token, as in its ready file
 */
export function consoleAccess(console: string): { readonly origin: string; readonly token: string } {
  const { origin, searchParams } = new URL(console);
  return { origin, token: searchParams.get("token") ?? "" };
}
