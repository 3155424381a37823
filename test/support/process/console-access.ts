/** The ways in with what a ready file holds. */
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";

/** The header of a program that is let into the console, by its address with the token. */
export const asConsole = (console: string) => ({
  Authorization: `Bearer ${new URL(console).searchParams.get("token") ?? ""}`,
});

/** The console's own origin. */
export const siteOf = (console: string) => new URL(console).origin;

/** A user's complete login, as a client's header. */
export async function logIn({ app, console: address }: ReadyFileContent): Promise<{ Authorization: string }> {
  const made = await fetch(`${app}/console/api/tokens`, { method: "POST", headers: asConsole(address) });
  const { access_token } = (await made.json()) as { access_token: string };
  return { Authorization: `Bearer ${access_token}` };
}
