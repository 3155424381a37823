import { escapePattern } from "../../contract/escape-pattern.ts";
import { controlTextsZh } from "../../contract/messages/zh/api/control-texts.ts";
import { consoleFieldTextsZh } from "../../contract/messages/zh/api/console-field-texts.ts";
import { faultFieldTextsZh } from "../../contract/messages/zh/api/fault-field-texts.ts";
import { fieldTextsZh } from "../../contract/messages/zh/api/field-texts.ts";
import { partTextsZh, tagNamesZh } from "../../contract/messages/zh/api/part-texts.ts";
import { simulatorFieldTextsZh } from "../../contract/messages/zh/api/simulator-field-texts.ts";
import { trafficFieldTextsZh } from "../../contract/messages/zh/api/traffic-field-texts.ts";
import type { OpenApiObject } from "./schema-book.ts";

const texts: Readonly<Record<string, string>> = {
  ...controlTextsZh,
  ...fieldTextsZh,
  ...consoleFieldTextsZh,
  ...trafficFieldTextsZh,
  ...simulatorFieldTextsZh,
  ...faultFieldTextsZh,
  ...partTextsZh,
};
const placeholder = /\{(\w+)\}/g;
const patterns = Object.entries(texts).flatMap(([english, chinese]) => {
  const names = [...english.matchAll(placeholder)].map(([, name = ""]) => name);
  if (names.length === 0) return [];
  const literal = english.split(placeholder).filter((_, at) => at % 2 === 0);
  return [{ english: new RegExp(`^${literal.map(escapePattern).join("(.+)")}$`), names, chinese }];
});

/** Begins the default value, as JSON, at the end of a field's description. */
const defaultMark = "Default: ";
const jsonStart = /^(?:["\d[{]|true$|false$)/;

/** Members whose values are data, not parts of the description. */
const dataMembers = new Set(["example", "examples", "default", "const", "enum"]);

/** The Chinese of a description; itself if the catalogue lacks it. */
function translate(english: string): string {
  const text = texts[english];
  if (text !== undefined) return text;
  for (const { english: pattern, names, chinese } of patterns) {
    const found = pattern.exec(english);
    if (found) return chinese.replace(placeholder, (_, name: string) => found[names.indexOf(name) + 1] ?? "");
  }
  const at = english.lastIndexOf(defaultMark);
  const value = english.slice(at + defaultMark.length, -1);
  if (at < 0 || !english.endsWith(".") || !jsonStart.test(value)) return english;
  const about = english.slice(0, at).trimEnd();
  return `${about && translate(about)}默认为 \`${value}\`。`;
}

/** Translates an OpenAPI document's descriptions and the names of its tags into Chinese. */
export function translateDocument(document: OpenApiObject): OpenApiObject {
  return translatePart(document) as OpenApiObject;
}

const translateTag = (name: unknown) => tagNamesZh[String(name)] ?? name;

function translatePart(part: unknown, member?: string): unknown {
  if (Array.isArray(part)) {
    if (member !== "tags") return part.map((one) => translatePart(one));
    return part.map((tag) =>
      typeof tag === "string"
        ? translateTag(tag)
        : { ...(tag as OpenApiObject), name: translateTag((tag as OpenApiObject)["name"]) },
    );
  }
  if (member === "description" && typeof part === "string") return translate(part);
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, dataMembers.has(name) ? value : translatePart(value, name)]),
  );
}
