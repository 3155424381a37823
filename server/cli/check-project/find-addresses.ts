/** Finds the platform's addresses in the strings of a program, however they are put together. */
import {
  publishedOperations,
  type PlatformOperation,
} from "../../contract/provider/operations/published-operations.ts";
import type { Token } from "./read-tokens.ts";

export interface FoundOperation {
  readonly operation: PlatformOperation;
  /** Where in the file. */
  readonly at: number;
}

/** What stands for a computed part of an address. */
const computed = "{}";

const segmentsOf = (path: string) => path.split("/").filter((segment) => segment !== "");
const isParameter = (segment: string) => segment.startsWith("{");

/** Operations by the number of their segments. */
const byLength = Map.groupBy(publishedOperations, ({ path }) => segmentsOf(path).length);
const roots = new Set(publishedOperations.map(({ path }) => segmentsOf(path)[0] ?? ""));

/** A computed part may be a parameter or one of its words; a written one may be a parameter's value. */
function fits(template: readonly string[], written: readonly string[]): boolean {
  return template.every((segment, index) => {
    const part = written[index] ?? "";
    if (isParameter(segment) || part === segment) return part !== "";
    return isParameter(part) && part.slice(1, -1).split("|").includes(segment);
  });
}

/** The operations of the address: those with the most written segments that match. */
function operationsAt(path: string): readonly PlatformOperation[] {
  const written = segmentsOf(path);
  const fitting = (byLength.get(written.length) ?? []).filter((known) => fits(segmentsOf(known.path), written));
  const literal = ({ path }: PlatformOperation) => segmentsOf(path).filter((segment) => !isParameter(segment)).length;
  const most = Math.max(0, ...fitting.map(literal));
  return fitting.filter((operation) => literal(operation) === most);
}

/** Several operations share an address: the method that the code around it names, else all. */
function chooseMethod(operations: readonly PlatformOperation[], around: string): readonly PlatformOperation[] {
  const named = operations.filter(({ method }) => new RegExp(`(?<![a-z])${method}(?![a-z])`, "i").test(around));
  return named.length > 0 ? named : operations;
}

/** The code and strings just before and after a string, where its method stands. */
function surroundings(tokens: readonly Token[], first: number, last: number): string {
  const textOf = (near: readonly Token[]) => near.map(({ text }) => text).join(" ");
  const before = textOf(tokens.slice(Math.max(0, first - 3), first));
  const after = textOf(tokens.slice(last + 1, last + 3));
  return `${before.slice(-60)} ${after.slice(0, 60)}`;
}

const joinsValue = /^\)?\s*(?:[+.]|[.]concat[(])[^;{}]*[+.,]\s*$/;
const goesOn = /^\)?\s*(?:[+]|[.]concat[(]|[.]\s*\$)/;
const longestJoin = 160;

/** The string at `index` with those that are joined to it. @returns the text and the index of its last token */
function joinedString(tokens: readonly Token[], index: number): { readonly text: string; readonly last: number } {
  let text = tokens[index]?.text ?? "";
  let last = index;
  for (;;) {
    const [code, next] = [tokens[last + 1], tokens[last + 2]];
    const between = code?.kind === "code" ? code.text : "";
    if (next?.kind === "string" && between !== "" && between.length <= longestJoin) {
      if (["+", "."].includes(between.trim())) {
        text += next.text;
        last += 2;
        continue;
      }
      if (joinsValue.test(between) && text.endsWith("/")) {
        text += computed + next.text;
        last += 2;
        continue;
      }
    }
    return { text: text.endsWith("/") && goesOn.test(between) ? text + computed : text, last };
  }
}

const placeholders = /[{](?![\w-]+[|])[^{}]*[}]|%[sdv]|(?<=[/]):\w+|(?<=[/])\$\w+/g;
const addresses = /(?:^|weixin[.]qq[.]com|[{][}]|[\s"'])([/]?[\w-]+(?:[/][\w.{|}-]+)+[/]?)/g;

/** The paths in a string that begin as one of the platform's. A path without its slash must begin the string. */
function pathsIn(text: string): string[] {
  return [...text.replaceAll(placeholders, computed).matchAll(addresses)]
    .filter(({ index, 1: path = "" }) => index === 0 || path.startsWith("/"))
    .map(([, path = ""]) => path)
    .filter((path) => roots.has(segmentsOf(path)[0] ?? ""));
}

export function findAddresses(tokens: readonly Token[]): FoundOperation[] {
  const found: FoundOperation[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token?.kind !== "string") continue;
    const { text, last } = joinedString(tokens, index);
    const around = surroundings(tokens, index, last);
    for (const path of pathsIn(text))
      for (const operation of chooseMethod(operationsAt(path), around)) found.push({ operation, at: token.at });
    index = last;
  }
  return found;
}
