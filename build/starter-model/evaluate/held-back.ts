/** The questions that judge the model, and are for the evaluation alone. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { parseLines } from "../corpus/data-files.ts";
import type { Knowledge, Topic } from "../corpus/topics.ts";

const folder = join(import.meta.dirname, "../eval");

/** @throws Error naming file and line of what does not fit the schema */
export const readHeldBack = <Line>(name: string, schema: z.ZodType<Line>): Line[] =>
  parseLines(`eval/${name}`, readFileSync(join(folder, name), "utf8"), schema);

/** @throws Error for one that is not there */
export function factOf({ byId }: Knowledge, id: string): Topic {
  const fact = byId.get(id);
  if (fact === undefined) throw new Error(`no fact is called ${id}`);
  return fact;
}
