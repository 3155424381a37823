/** What the `data.json` of a fixture holds: rows of this server's own tables, by the part of the state that they are of. */
import { z } from "zod";
import { fixturePartSchema, type FixturePart } from "../../contract/console/control.ts";
import { HttpError } from "../../http/http-error.ts";
import type { TableContent } from "../../store/table-state.ts";

export type Row = Readonly<Record<string, unknown>>;

/** A part that lies in tables of this server's own. */
export type TablePart = Exclude<FixturePart, "provider">;

/** Where a part of the state is. */
export interface PartTables {
  /** What is referred to comes first; the first one's rows are what a person counts. */
  readonly tables: readonly string[];
  /** Column with the hash of an uploaded content. */
  readonly blobColumn?: string;
  /** A row as it has to be so many ms after it was saved. */
  readonly aged?: (row: Row, ms: number) => Row;
}

export const dataSchema = z.strictObject({
  format: z.literal("hearth-fixture/1"),
  /** Hashes of contents that were not there any more when it was saved. */
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

export const unusable = (name: string, reason: string, cause?: unknown) =>
  new HttpError(409, "fixture_unusable", `The fixture ${name} cannot be loaded: ${reason}. Nothing was changed.`, {
    cause,
  });

/** Hashes of the contents that rows of this part name. */
export function blobsIn({ blobColumn, tables }: PartTables, contents: readonly TableContent[]): string[] {
  if (blobColumn === undefined) return [];
  return contents
    .filter(({ table }) => tables.includes(table))
    .flatMap(({ rows }) => rows.map((row) => String(row[blobColumn])));
}
