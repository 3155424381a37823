/** The `data.json` of a fixture: rows of this server's own tables, by the part of the state. */
import type { Message } from "../../contract/messages/message.ts";
import { z } from "zod";
import { fixturePartSchema, type FixturePart } from "../../contract/console/control/control.ts";
import { refuse } from "../../http/http-error.ts";
import type { PartTables } from "../../store/state-part.ts";
import type { TableContent } from "../../store/table-state.ts";

/** A part in tables of this server. */
export type TablePart = Exclude<FixturePart, "provider">;

/** Parts whose rows belong to users, by their ids. */
const owned = ["records", "uploads", "orders"] as const satisfies readonly TablePart[];

/** If false, ids of users must continue: a new user must not get the rows of another one. */
export const replacesOwned = (parts: readonly string[]): boolean => owned.every((part) => parts.includes(part));

export const dataSchema = z.strictObject({
  format: z.literal("hearth-fixture/1"),
  /** Hashes of contents that were already missing when it was saved. */
  lost: z.array(z.string()).default([]),
  parts: z.partialRecord(
    fixturePartSchema.exclude(["provider"]),
    z.array(
      z.strictObject({
        table: z.string(),
        rows: z.array(z.record(z.string(), z.unknown())),
        lastId: z.number().int().optional(),
      }),
    ),
  ),
});

export const unusable = (name: string, reason: Message, cause?: unknown) =>
  refuse("fixture.unusable", { name, reason }, { cause });

/** Hashes of the contents that rows of this part refer to. */
export function blobsIn({ blobColumn, tables }: PartTables, contents: readonly TableContent[]): string[] {
  if (blobColumn === undefined) return [];
  return contents
    .filter(({ table }) => tables.includes(table))
    .flatMap(({ rows }) => rows.map((row) => String(row[blobColumn])));
}
