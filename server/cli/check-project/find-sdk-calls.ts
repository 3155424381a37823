/** Finds the calls of well-known SDKs, and of those whose expressions spell the address: `wxpay.v3.pay.transactions`. */
import {
  publishedOperations,
  type PlatformOperation,
} from "../../contract/provider/operations/published-operations.ts";
import type { FoundOperation } from "./find-addresses.ts";
import type { ProgramFile } from "./read-sources.ts";
import type { Token } from "./read-tokens.ts";
import { sdks } from "./sdk-calls.ts";

const byName = new Map(publishedOperations.map((operation) => [`${operation.method} ${operation.path}`, operation]));
/** Chains write a parameter in any way, so their operations are compared without the parameters' names. */
const byShape = new Map(publishedOperations.map((operation) => [shapeOf(operation), operation]));

function shapeOf({ method, path }: Pick<PlatformOperation, "method" | "path">): string {
  return `${method} ${path.replaceAll(/[{][^{}]{1,60}[}]/g, "{}").toLowerCase()}`;
}

const withoutComments = (tokens: readonly Token[]) => {
  const at: number[] = [];
  let text = "";
  for (const token of tokens) {
    at.push(text.length);
    text += token.kind === "string" ? `"${token.text}"` : token.text;
  }
  const placeOf = (index: number) => {
    const last = at.findLastIndex((start) => start <= index);
    const token = tokens[last];
    if (!token) return 0;
    return token.kind === "string" ? token.at : token.at + index - (at[last] ?? 0);
  };
  return { text, placeOf };
};

const chain = /(?:[.]|->)v([23])((?:(?:[.]|->)[\w$]{1,60}){2,15})\s{0,9}[(]/g;
const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `.v3.pay.transactions.outTradeNo.$no$.get` as `GET /v3/pay/transactions/out-trade-no/{}`. */
function operationOfChain(version: string, names: string): PlatformOperation | undefined {
  const written = names.split(/[.]|->/).filter((name) => name !== "");
  const method = (written.pop() ?? "").replace(/Async$/, "").toUpperCase();
  const segments = written.map((name) => {
    if (/^[$_].*[$_]$/.test(name)) return "{}";
    return version === "3" ? kebab(name) : name;
  });
  return byShape.get(shapeOf({ method, path: `${version === "3" ? "/v3/" : "/"}${segments.join("/")}` }));
}

const mustBeKnown = (name: string): PlatformOperation => {
  const operation = byName.get(name);
  if (!operation) throw new Error(`${name} is not published`);
  return operation;
};

const rules = sdks.map(({ calls, ...sdk }) => ({
  ...sdk,
  calls: Object.entries(calls).map(([called, names]) => ({
    pattern: new RegExp(`${called}\\s*[(,]`, "g"),
    operations: [names].flat().map(mustBeKnown),
  })),
}));

/** @param isUsed whether the program names an SDK anywhere */
export function findSdkCalls(
  { file, text }: ProgramFile,
  tokens: readonly Token[],
  isUsed: (name: RegExp) => boolean,
): FoundOperation[] {
  const { text: code, placeOf } = withoutComments(tokens);
  const found: FoundOperation[] = [];
  for (const { index, 1: version = "", 2: names = "" } of code.matchAll(chain)) {
    const operation = operationOfChain(version, names);
    if (operation) found.push({ operation, at: placeOf(index) });
  }
  for (const { name, files, within, calls } of rules) {
    if (!files.test(file) || !(within === "file" ? name.test(text) : isUsed(name))) continue;
    for (const { pattern, operations } of calls)
      for (const { index } of code.matchAll(pattern))
        for (const operation of operations) found.push({ operation, at: placeOf(index) });
  }
  return found;
}
