/** What a system starts the program with, so that it is shown: a link of ours, or a model file. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ConsolePage } from "../../server/contract/console/console-pages.ts";
import { takesValue } from "../../server/process/command-line/command-first.ts";
import { isLink, pageOfLink } from "./page-link.ts";

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
 * @param first what this start opens
 * @param window absent while the program starts: the last one waits for it
 */
export function createOpening(first: string | undefined, window: () => Opener | undefined) {
  let waiting = first;
  function show(opened = ""): void {
    const shown = window();
    if (shown === undefined) {
      waiting = opened || (waiting ?? "");
      return;
    }
    const file = modelFileOf(opened);
    shown.open(pageOfLink(opened));
    if (file !== undefined) shown.drop(file);
  }
  /** There is a window now. */
  function showWaiting(): void {
    if (waiting !== undefined) show(waiting);
  }
  return { show, showWaiting };
}
