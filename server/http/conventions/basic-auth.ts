/** HTTP Basic (spec: HTTP Basic): off by default and discouraged, because it sends passwords unencrypted. */
import type { IncomingMessage } from "node:http";
import { badRequest, HttpError } from "../http-error.ts";

/** User and password of `Authorization: Basic`; undefined without that header. @throws HttpError 400 when it is malformed. */
export function basicCredentials(req: IncomingMessage): { user: string; password: string } | undefined {
  const encoded = /^Basic +(\S*)$/i.exec(req.headers.authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0)
    throw badRequest("bad_basic", "Authorization: Basic must be the base64 of user:password.", "Authorization");
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** 401 that makes a browser ask for user and password. */
export const basicRequired = () =>
  new HttpError(401, "basic_required", "Send a user and a password as Authorization: Basic.", {
    headers: { "WWW-Authenticate": 'Basic realm="Hearth"' },
  });
