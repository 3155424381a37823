import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";
import { endpoint } from "../../contract/endpoint.ts";
import { maxPageSize, ownFields } from "../../contract/app/resources.ts";
import { secretsOf } from "../../json-schema/schema-secrets.ts";
import { basicCredentials, basicRequired } from "../../http/conventions/basic-auth.ts";
import { refuse } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import type { RecordStore } from "../../store/records/record-store.ts";
import type { StoredRecord } from "../../store/records/record-tables.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const keyBytes = 32;

/** `salt.key`, both base64url. */
async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `${salt.toString("base64url")}.${(await derive(password, salt, keyBytes)).toString("base64url")}`;
}
async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [salt = "", key = ""] = hash.split(".");
  return timingSafeEqual(
    await derive(password, Buffer.from(salt, "base64url"), keyBytes),
    Buffer.from(key, "base64url"),
  );
}

const userName = z.string().regex(/^[^:\s]{1,64}$/, "1 to 64 characters without a colon or blanks");

/** Accounts with a user name and password for HTTP Basic (setting basic_auth, discouraged). Users see only their own. */
export const accounts: ResourceDefinition = {
  name: "accounts",
  singular: "Account",
  input: z.object({
    user: userName.meta({ examples: ["alice"] }),
    password: z
      .string()
      .min(8)
      .max(200)
      .describe("Stored as a hash and never returned.")
      .meta({ examples: ["correct horse"] }),
  }),
  output: z.object({ user: z.string().meta({ examples: ["alice"] }) }),
  pageLimit: maxPageSize,
  filterFields: ["user"],
  searchFields: ["user"],
  secretFields: ["password"],
  secrets: secretsOf({ properties: { password: { writeOnly: true } } }),
  serverFields: [],
  uniqueFields: ["user"],
  ownerOnly: true,
  ownerSeesOnly: true,
  stored: z.object({
    user: userName,
    password: z.string().regex(/^[\w-]{22}[.][\w-]{43}$/, "is not a password hash"),
  }),
  beforeStore: async ({ password, ...rest }) => ({ ...rest, password: await hashPassword(String(password)) }),
};

/**
 * Returns the caller's own account. HTTP Basic identifies the caller, not a session token. Without that header, the
 * answer is 401, and browsers ask for user and password. A wrong user or password gets 403. Discouraged: the password
 * travels in clear text.
 */
export const getMyAccount = endpoint({
  id: "getMyAccount",
  tag: "accounts",
  method: "GET",
  path: "/api/accounts/me",
  access: "none",
  status: 200,
  data: z.object({ ...ownFields, user: z.string().meta({ examples: ["alice"] }) }).meta({ title: "Account" }),
  basicAuth: "required",
  errors: [401, 403],
});

/** Checks users and passwords. @throws HttpError 403 for a wrong one (spec: Errors 403.1). */
export function createAccountLogin(records: RecordStore) {
  // Made by the first login, for known users too: it takes 30 ms of CPU time, and few starts see a login.
  let unknownUserHash: Promise<string> | undefined;
  return async ({ user, password }: { user: string; password: string }): Promise<StoredRecord> => {
    const filters = [{ field: "user", comparison: "is", values: [user] }] as const;
    const query = { filters, sort: [], limit: 1, offset: 0 };
    const [account] = (await records.list("accounts", query)).records;
    // An unknown user takes as much time as a wrong password, so that names cannot be probed.
    const unknown = await (unknownUserHash ??= hashPassword(""));
    const stored = account ? String(account.data["password"]) : unknown;
    const isRight = await verifyPassword(password, stored);
    if (!account || !isRight) throw refuse("account.wrong");
    return account;
  };
}

export function accountRoutes(login: ReturnType<typeof createAccountLogin>): Route[] {
  return [
    route(getMyAccount, async (_input, { req }) => {
      const credentials = basicCredentials(req);
      if (!credentials) throw basicRequired();
      const account = await login(credentials);
      return {
        data: {
          id: account.id,
          user: String(account.data["user"]),
          owner_uid: `u${String(account.ownerId)}`,
          created_at: new Date(account.createdAt).toISOString(),
          updated_at: new Date(account.updatedAt).toISOString(),
        },
      };
    }),
  ];
}
