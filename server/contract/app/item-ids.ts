/** Ids of items: whole numbers that the server counts, or texts of one of several kinds. */
import { z } from "zod";
import { message, type Message } from "../messages/message.ts";

/** An id as clients see it. */
export const anyItemId = z.union([z.number().int(), z.string()]);
export type ItemId = z.infer<typeof anyItemId>;

export const idKinds = ["integer", "uuid", "ulid", "string"] as const;
type IdKind = (typeof idKinds)[number];
/** A kind of ids that are texts. */
export type TextIdKind = Exclude<IdKind, "integer">;

/** The most characters of an id, so that a path with it stays short enough for every client. */
export const mostIdCharacters = 200;

/** The schemas that describe the kinds, without what a schema says badly: `isId` decides. */
export const idSchemas = {
  uuid: { type: "string", format: "uuid" },
  ulid: { type: "string", pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$" },
  string: { type: "string", minLength: 1, maxLength: mostIdCharacters },
} as const satisfies Record<TextIdKind, object>;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
/** A URL drops the segments `.` and `..`, and cannot hold half of a character. */
const addressable = new RegExp(`^(?![.]{1,2}$)[^\\p{Cc}\\p{Cs}]{1,${String(mostIdCharacters)}}$`, "u");

const patterns = { uuid, ulid, string: addressable } as const satisfies Record<TextIdKind, RegExp>;

export const isId = (kind: TextIdKind, value: unknown): value is string =>
  typeof value === "string" && patterns[kind].test(value);

export const mustBeId = (kind: TextIdKind): Message =>
  kind === "string" ? message("is.id", { most: mostIdCharacters }) : message("is.idOf", { kind: kind.toUpperCase() });

/** UUIDs are lower-case (RFC 9562, 4), ULIDs upper-case; both are read in either case. Other texts stay as they are. */
export function canonicalId(kind: TextIdKind, id: string): string {
  if (kind === "string" || !isId(kind, id)) return id;
  return kind === "uuid" ? id.toLowerCase() : id.toUpperCase();
}

const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** 48 bits of time and 80 random ones, 5 in each character: https://github.com/ulid/spec */
function newUlid(): string {
  const time = Array.from({ length: 10 }, (_, index) => Math.floor(Date.now() / 32 ** (9 - index)) % 32);
  const random = crypto.getRandomValues(new Uint8Array(16));
  return [...time, ...random].map((number) => digits[number % 32]).join("");
}

export const newId = (kind: TextIdKind): string => (kind === "ulid" ? newUlid() : crypto.randomUUID());

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an item with its id, in the one form of the kind. @param missing makes that of an item without one */
export function withId(kind: TextIdKind, { id, ...fields }: Fields, missing = () => newId(kind)): Fields {
  const known = id === undefined ? missing() : id;
  return { id: typeof known === "string" ? canonicalId(kind, known) : known, ...fields };
}
