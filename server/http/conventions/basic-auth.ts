/** HTTP Basic (spec: HTTP Basic): off by default and discouraged, because it sends passwords unencrypted. */
import type { IncomingMessage } from "node:http";
import { refuse } from "../http-error.ts";

/** User and password of `Authorization: Basic`; undefined without that header. @throws HttpError 400 when it is malformed. */
export function basicCredentials(req: IncomingMessage): { user: string; password: string } | undefined {
  const encoded = /^Basic +(\S*)$/i.exec(req.headers.authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0) throw refuse("basic.malformed", undefined, { field: "Authorization" });
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** 401 that makes a browser ask for user and password. */
export const basicRequired = () =>
  refuse("basic.required", undefined, {
    headers: { "WWW-Authenticate": 'Basic realm="Hearth"' },
  });
