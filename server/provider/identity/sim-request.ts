/** Reads the person of a control request. */
import type { Request } from "express";
import { simUserName } from "../../contract/provider/provider.ts";
import { badRequest } from "../../http/http-error.ts";
import type { SimUser } from "./identity-tables.ts";
import type { SimUsers } from "./sim-users.ts";

export const queryOf = (req: Request) => new URLSearchParams(req.url.split(/\?(.*)/s)[1] ?? "");

type Named = Request<{ name: string }>;

/** The person in the path, created if missing. @throws HttpError 400 for an invalid name */
export const userOf = (req: Named, users: SimUsers): Promise<SimUser> => userNamed(req.params.name, users);

/** The data of the person in the path, existing or not. @throws HttpError 400 like `userOf` */
export const userViewOf = async (req: Named, users: SimUsers): Promise<Omit<SimUser, "id">> =>
  users.whoWouldBe(checkedName(req.params.name));

/** @throws HttpError 400 for an invalid name */
export const userNamed = async (text: string, users: SimUsers): Promise<SimUser> => users.get(checkedName(text));

function checkedName(text: string): string {
  const name = simUserName.safeParse(text);
  if (!name.success)
    throw badRequest(
      "bad_name",
      `The user's name may hold ${name.error.issues[0]?.message ?? "other characters"}.`,
      "name",
    );
  return name.data;
}
