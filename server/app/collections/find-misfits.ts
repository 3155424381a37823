import { message, type Message } from "../../contract/messages/message.ts";
import type { ItemId } from "../../contract/app/item-ids.ts";
import { mapInTurns } from "../../foreign/map-in-turns.ts";
import { ownMember } from "../../json-schema/own-member.ts";
import type { Problem } from "../../json-schema/outcome.ts";
import { unreadable } from "../../json-schema/predicates.ts";
import { isPrivate, itemIdOf, nobody, publicIdOf, type StoredRecord } from "../../store/records/record-tables.ts";
import type { RecordTransfer } from "../../store/records/record-transfer.ts";
import type { UserCollection } from "./user-collection.ts";

const mostExamples = 20;

export interface Misfits {
  /** How many. */
  readonly misfits: number;
  readonly examples: readonly { readonly id: ItemId; readonly field: string; readonly problem: Message }[];
}

/** The stored items that do not fit a collection's schema, its unique fields, its relations or its private field. */
export async function findMisfits(
  { definition, options, check }: UserCollection,
  transfer: Pick<RecordTransfer, "read">,
  signal?: AbortSignal,
): Promise<Misfits> {
  const { records } = await transfer.read(definition.name);
  const idsOf = async (to: string) => new Set<unknown>((await transfer.read(to)).records.map(publicIdOf));
  const targets = await Promise.all(
    definition.relations.map(async ({ field, to }) => ({
      field,
      to,
      ids: records.length === 0 ? new Set() : await idsOf(to),
    })),
  );
  const taken = new Map(options.unique.map((field) => [field, new Set()]));

  function problemOf(
    { ownerId, data }: StoredRecord,
    problem: Problem | undefined,
  ): { field: string; problem: Message } | undefined {
    if (problem) return { field: problem.path.join("."), problem: problem.message };
    if (ownerId === nobody && isPrivate(options.private, data))
      return { field: String(options.private), problem: unreadable };
    for (const [field, values] of taken) {
      const value = ownMember(data, field);
      if (value === undefined || value === null) continue;
      if (values.has(value)) return { field, problem: message("schema.itemTwice") };
      values.add(value);
    }
    const isId = (value: unknown) => typeof value === "number" || typeof value === "string";
    const dangling = targets.find(({ field, ids }) => isId(data[field]) && !ids.has(data[field]));
    return (
      dangling && {
        field: dangling.field,
        problem: message("data.noReference", { target: `${dangling.to}/${String(data[dangling.field])}` }),
      }
    );
  }

  // A check inserts defaults.
  const checked = await mapInTurns(records, ({ data }) => check(structuredClone(data))[0], signal);
  const misfits = records.flatMap((record, index) => {
    const problem = problemOf(record, checked[index]);
    return problem ? [{ id: itemIdOf(definition, record), ...problem }] : [];
  });
  return { misfits: misfits.length, examples: misfits.slice(0, mostExamples) };
}
