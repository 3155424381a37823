/** What the control routes read from a request. */
import type { Request } from "express";
import type { z } from "zod";
import { simUserName } from "../../contract/provider.ts";
import { badRequest } from "../../http/http-error.ts";
import { readBody } from "../../http/read-body.ts";
import type { SimUser } from "./identity-tables.ts";
import type { SimUsers } from "./sim-users.ts";

export const queryOf = (req: Request) => new URLSearchParams(req.url.split(/\?(.*)/s)[1] ?? "");

/** @throws HttpError 400 naming the field at fault. */
export async function bodyOf<Schema extends z.ZodType>(req: Request, schema: Schema): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(await readBody(req, "any", schema));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.code === "unrecognized_keys" ? issue.keys[0] : issue?.path.join(".");
  throw badRequest("invalid_request", `${field ?? "body"}: ${issue?.message ?? "is not valid"}`, field);
}

/** The person that the path names. @throws HttpError 400 for a name that cannot be one */
export async function userOf(req: Request<{ name: string }>, users: SimUsers): Promise<SimUser> {
  const name = simUserName.safeParse(req.params.name);
  if (!name.success)
    throw badRequest(
      "bad_name",
      `The user's name may hold ${name.error.issues[0]?.message ?? "other characters"}.`,
      "name",
    );
  return users.get(name.data);
}
