/** What a system starts the program with, so that it is shown: a link of ours, or a model file. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isLink } from "./page-link.ts";

/** The absolute path of a model file that is there; undefined for any other argument. Linux desktops pass files as addresses. */
export function modelFileOf(argument: string): string | undefined {
  if (argument.startsWith("-") || !/[.]gguf$/i.test(argument)) return undefined;
  try {
    const path = /^file:/i.test(argument) ? fileURLToPath(argument) : resolve(argument);
    return statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}

/** What follows a flag is its value, such as the file of `--model`. */
const isValue = (args: readonly string[], index: number) => /^--[^=]+$/.test(args[index - 1] ?? "");

function openedAt(args: readonly string[], index: number): string | undefined {
  const argument = args[index] ?? "";
  if (isLink(argument)) return argument;
  return isValue(args, index) ? undefined : modelFileOf(argument);
}

/** The link, or the path of the model file, among the program's arguments. */
export const openedBy = (args: readonly string[]): string | undefined =>
  args.map((_, index) => openedAt(args, index)).find((opened) => opened !== undefined);

export const withoutOpened = (args: readonly string[]): string[] =>
  args.filter((_, index) => openedAt(args, index) === undefined);
