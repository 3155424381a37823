/** The platform's operations that a program uses, by its sources alone. */
import type { PlatformOperation } from "../../contract/provider/operations/published-operations.ts";
import { findAddresses } from "./find-addresses.ts";
import { findSdkCalls } from "./find-sdk-calls.ts";
import { readSources, type ProgramFile, type SourceLimits } from "./read-sources.ts";
import { readTokens } from "./read-tokens.ts";

export interface UsedOperation {
  readonly operation: PlatformOperation;
  /** The first place, as `file:line`. */
  readonly place: string;
}

const lineOf = (text: string, at: number) => text.slice(0, at).split("\n").length;

/** Reads whether a program names an SDK anywhere, once for each. */
function createUseCheck(sources: readonly ProgramFile[]): (name: RegExp) => boolean {
  const known = new Map<RegExp, boolean>();
  return (name) => {
    const isUsed = known.get(name) ?? sources.some(({ text }) => name.test(text));
    known.set(name, isUsed);
    return isUsed;
  };
}

export async function findUsedOperations(
  folder: string,
  limits?: SourceLimits,
): Promise<{ readonly used: readonly UsedOperation[]; readonly cut: boolean }> {
  const { sources, cut } = await readSources(folder, limits);
  const isUsed = createUseCheck(sources);
  const used = new Map<PlatformOperation, UsedOperation>();
  for (const source of sources) {
    const tokens = readTokens(source.file, source.text);
    for (const { operation, at } of [...findAddresses(tokens), ...findSdkCalls(source, tokens, isUsed)])
      if (!used.has(operation))
        used.set(operation, { operation, place: `${source.file}:${String(lineOf(source.text, at))}` });
  }
  const byPath = (a: UsedOperation, b: UsedOperation) => (a.operation.path < b.operation.path ? -1 : 1);
  return { used: [...used.values()].toSorted(byPath), cut };
}
