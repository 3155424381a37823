/** The person that the path of a control route names. */
import { simUserName } from "../../contract/provider/provider.ts";
import { badRequest } from "../../http/http-error.ts";
import type { SimUser } from "./identity-tables.ts";
import type { SimUsers } from "./sim-users.ts";

/** The person with that name, created if missing. @throws HttpError 400 for an invalid name */
export const userNamed = async (name: string, users: SimUsers): Promise<SimUser> => users.get(checkedName(name));

/** The data of the person with that name, existing or not. @throws HttpError 400 for an invalid name */
export const userViewOf = async (name: string, users: SimUsers): Promise<Omit<SimUser, "id">> =>
  users.whoWouldBe(checkedName(name));

function checkedName(text: string): string {
  const name = simUserName.safeParse(text);
  if (!name.success)
    throw badRequest(
      "bad_name",
      `The user's name is invalid: ${name.error.issues[0]?.message ?? "use other characters"}.`,
      "name",
    );
  return name.data;
}
