/** A link or a model file that the system opens with this program. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ConsolePage } from "../../server/contract/console/console-pages.ts";
import { takesValue } from "../../server/process/command-line/command-first.ts";
import { isLink, pageOfLink } from "./page-link.ts";

/** The absolute path of an existing model file; undefined for any other argument. Linux desktops pass files as URLs. */
export function modelFileOf(argument: string): string | undefined {
  if (argument.startsWith("-") || !/[.]gguf$/i.test(argument)) return undefined;
  try {
    const path = /^file:/i.test(argument) ? fileURLToPath(argument) : resolve(argument);
    return statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}

function openedAt(args: readonly string[], index: number): string | undefined {
  const argument = args[index] ?? "";
  if (isLink(argument)) return argument;
  return takesValue(args[index - 1]) ? undefined : modelFileOf(argument);
}

/** The link, or the path of the model file, among the program's arguments. */
export const openedBy = (args: readonly string[]): string | undefined =>
  args.map((_, index) => openedAt(args, index)).find((opened) => opened !== undefined);

export const withoutOpened = (args: readonly string[]): string[] =>
  args.filter((_, index) => openedAt(args, index) === undefined);

interface Opener {
  readonly open: (page?: ConsolePage) => void;
  readonly drop: (path: string) => void;
}

/**
 * Shows links and model files in the window, which comes to the front.
 * @param first the link or file of this start
 * @param window undefined while the program starts; the last link or file waits for it
 */
export function createOpening(first: string | undefined, window: () => Opener | undefined) {
  let waiting = first;
  function show(opened = ""): void {
    const opener = window();
    if (opener === undefined) {
      waiting = opened || (waiting ?? "");
      return;
    }
    const file = modelFileOf(opened);
    opener.open(pageOfLink(opened));
    if (file !== undefined) opener.drop(file);
  }
  function showWaiting(): void {
    if (waiting !== undefined) show(waiting);
  }
  return { show, showWaiting };
}
