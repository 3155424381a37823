/** The only way in which corpus and training read what people have written. */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";

const here = join(import.meta.dirname, "..");

/** Whose questions judge the model must not have shaped what it learns: this folder is for the evaluation alone. */
const heldBack = /(^|[\\/])eval([\\/]|$)/;

/** @throws Error for the independent questions, and for a file that cannot be read */
export function readData(path: string): string {
  if (heldBack.test(path)) throw new Error(`${path} judges the model: nothing that it learns from may be read there`);
  return readFileSync(join(here, path), "utf8");
}

/**
 * @param path of the file that the lines are from
 * @throws Error naming file and line of what does not fit the schema
 */
export function parseLines<Line>(path: string, lines: string, schema: z.ZodType<Line>): Line[] {
  return lines.split("\n").flatMap((line, index) => {
    if (line === "") return [];
    const parsed = schema.safeParse(JSON.parse(line));
    if (!parsed.success) throw new Error(`${path}:${index + 1}: ${z.prettifyError(parsed.error)}`);
    return [parsed.data];
  });
}

/**
 * Reads JSON lines.
 * @throws Error as `readData` and `parseLines` do
 */
export const readLines = <Line>(path: string, schema: z.ZodType<Line>): Line[] =>
  parseLines(path, readData(path), schema);

/** The JSON Lines files of a folder, by name and in the order of their names; none where the folder is missing. */
export function dataFiles(folder: string): { name: string; path: string }[] {
  const paths = globSync(`${folder}/*.jsonl`, { cwd: here }).sort();
  return paths.map((path) => ({ name: basename(path, ".jsonl"), path }));
}
