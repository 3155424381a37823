/** What the control routes read from a request. */
import type { Request } from "express";
import { simUserName } from "../../contract/provider.ts";
import { badRequest } from "../../http/http-error.ts";
import type { SimUser } from "./identity-tables.ts";
import type { SimUsers } from "./sim-users.ts";

export const queryOf = (req: Request) => new URLSearchParams(req.url.split(/\?(.*)/s)[1] ?? "");

/** The person that the path names. @throws HttpError 400 for a name that cannot be one */
export const userOf = (req: Request<{ name: string }>, users: SimUsers): Promise<SimUser> =>
  userNamed(req.params.name, users);

/** @throws HttpError 400 for a name that cannot be one */
export async function userNamed(text: string, users: SimUsers): Promise<SimUser> {
  const name = simUserName.safeParse(text);
  if (!name.success)
    throw badRequest(
      "bad_name",
      `The user's name may hold ${name.error.issues[0]?.message ?? "other characters"}.`,
      "name",
    );
  return users.get(name.data);
}
