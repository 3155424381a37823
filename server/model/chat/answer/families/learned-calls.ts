/** The markup of calls in JSON between tags that no family has, learned from calls that a template has written. */
import { isObject } from "../../../../contract/is-object.ts";
import { parseJson } from "../../../../contract/parse-json.ts";
import type { CallSyntax } from "../call-syntax.ts";
import { jsonBlocks } from "../json-blocks.ts";
import { jsonEnd } from "../json-in-text.ts";

/** One or several tags without anything between them. */
const tags = /^(?:<[^<>\s]+>|\[[^[\]\s]+\])+$/;

/** @param written the calls with the texts around them. @param name the name of the first call */
export function learnedCalls(written: string, name: string): CallSyntax | undefined {
  const from = written.search(/\[\s*\{|\{/);
  const end = from < 0 ? undefined : jsonEnd(written, from);
  const before = written.slice(0, from).trimStart();
  const open = before.trimEnd();
  if (end === undefined || !tags.test(open)) return undefined;
  const value = parseJson(written.slice(from, end));
  const isList = Array.isArray(value);
  const call: unknown = isList ? value[0] : value;
  const entries = isObject(call) ? Object.entries(call) : [];
  const [nameMember] = entries.find(([, one]) => one === name) ?? [];
  const [argumentsMember] = entries.find(([, one]) => isObject(one)) ?? [];
  if (nameMember === undefined || argumentsMember === undefined) return undefined;
  const rest = written.slice(end);
  const again = rest.indexOf(open);
  const behind = again < 0 ? rest : rest.slice(0, again);
  const close = behind.trim();
  if (close !== "" && !tags.test(close)) return undefined;
  const closed = behind.trimEnd();
  return jsonBlocks({
    open: [open],
    close,
    written: isList
      ? { start: `${before}[`, between: ", ", end: `]${closed}` }
      : { before, after: closed, between: behind.slice(closed.length) },
    members: { name: nameMember, arguments: argumentsMember },
  });
}
