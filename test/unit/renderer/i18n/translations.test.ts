import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { en } from "../../../../renderer/i18n/en.ts";
import { shell } from "../../../../renderer/i18n/en/shell.ts";
import { pickLanguage } from "../../../../renderer/i18n/languages.ts";
import { zh } from "../../../../renderer/i18n/zh.ts";

interface Texts {
  readonly [key: string]: string | Texts;
}

/** Every text under its full key: "nav.label". */
function flatten(texts: Texts, prefix = ""): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === "string") flat.set(prefix + key, value);
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) flat.set(inner, text);
  }
  return flat;
}

/** A key as the code asks for it: the plural forms of a text are one. */
const asked = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, "");
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)/g)].map((match) => match[1]).sort();

const english = flatten(en);
const chinese = flatten(zh);
const keys = new Set([...english.keys()].map(asked));
const sources = globSync("renderer/**/*.{ts,tsx}")
  .filter((file) => !file.startsWith("renderer/i18n/"))
  .map((file) => readFileSync(file, "utf8"));
const code = sources.join("\n");

/**
 * Keys that the code may ask for, as patterns: `t(\`nav.${label}\`)` asks for any key under `nav`. What is put in may have a
 * dot, as the type of an event has.
 */
const used = [
  ...code.matchAll(/"([a-zA-Z]+(?:\.[a-zA-Z0-9]+)+)"|`([a-zA-Z]+(?:\.(?:[a-zA-Z0-9]|\$\{[^}]+\})+)+)`/g),
].map(
  ([, plain, template]) =>
    new RegExp(`^${(plain ?? template ?? "").replaceAll(".", "[.]").replace(/\$\{[^}]+\}/g, "[^.]+(?:[.][^.]+)?")}$`),
);

describe("The translations of the console", () => {
  it("has each English text in Chinese, and no other", () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it("keeps the placeholders of each text", () => {
    for (const [key, text] of english)
      expect([key, placeholders(chinese.get(key) ?? "")]).toEqual([key, placeholders(text)]);
  });

  it("has plural forms where it tells a number of things", () => {
    const tells = /\{\{\w+, number\}\} (?!is\b|has\b)[a-z]+s\b/;
    const keysOf = [...english].filter(([key, text]) => tells.test(text) && asked(key) === key);
    expect(keysOf).toEqual([]);
  });

  it("has one Chinese word for each thing", () => {
    /** What the things are called elsewhere: 已启用, 入账, 加载, 拉取, 你. */
    const others = /故障已就绪|结清|结算|载入|模型已下载|您/u;
    const files = [
      "renderer/i18n/zh/*.ts",
      "renderer/**/*.zh.ts",
      "server/contract/messages/zh/*.ts",
      "docs/guides/zh-CN/*.md",
    ];
    const lines = globSync(files).flatMap((file) => readFileSync(file, "utf8").split("\n"));
    expect(lines.length).toBeGreaterThan(1_000);
    expect(lines.filter((line) => others.test(line))).toEqual([]);
  });

  it("leaves no text empty", () => {
    for (const [key, text] of [...english, ...chinese]) expect([key, text.trim()]).not.toEqual([key, ""]);
  });

  it("has no text that the code does not ask for", () => {
    expect([...keys].filter((key) => !used.some((pattern) => pattern.test(key)))).toEqual([]);
  });

  it("has every text that the code asks for", () => {
    const calls = [...code.matchAll(/\bt\(\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(calls.length).toBeGreaterThan(50);
    expect(calls.filter((key) => !keys.has(key))).toEqual([]);
  });

  const faultBadge = "renderer/ui/marks/fault-badges.tsx";
  it("fetches the names of faults with each page that marks them", () => {
    const routes = readFileSync("renderer/routes.tsx", "utf8");
    const marking = globSync("renderer/features/**/*.tsx").filter((file) =>
      readFileSync(file, "utf8").includes("marks/fault-badges.tsx"),
    );
    const pages = new Set(marking.map((file) => file.split("/")[2] ?? ""));
    expect(pages.size).toBeGreaterThan(1);
    expect([...pages].filter((page) => !routes.includes(`textsOf("${page}", "fault-names")`))).toEqual([]);
  });

  it("lets each page ask for its own texts and the shell's only: other pages' are not fetched with it", () => {
    const pages = Object.keys(en).filter((key) => !(key in shell));
    const ownKey = (file: string) => file.split("/")[2]?.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const foreign = globSync("renderer/{features,shell,ui,api}/**/*.{ts,tsx}").flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/\bt\(\s*["`]([a-zA-Z]+)\./g)]
        .filter(([, key = ""]) => pages.includes(key) && key !== ownKey(file) && file !== faultBadge)
        .map(([, key]) => `${file}: ${key ?? ""}`),
    );
    expect(foreign).toEqual([]);
  });

  it("writes no text into the page by itself", () => {
    // What stands between tags or in a label has to come from t(); wire words and names may stand as they are.
    const written = sources.flatMap((source) => [
      ...source.matchAll(/(?<=["}])>\s*([A-Z][^<>{}]*)</g),
      ...source.matchAll(/(?:aria-label|title|placeholder|label|alt)="([A-Z][^"]*)"/g),
    ]);
    expect(written.map((match) => match[1]?.trim()).filter((text) => text !== "Hearth")).toEqual([]);
  });
});

describe("The language of the console", () => {
  it("is the one chosen last, else the first of the browser's that there is, else English", () => {
    expect(pickLanguage("zh", ["en-GB"])).toBe("zh");
    expect(pickLanguage(null, ["fr-FR", "zh-TW", "en"])).toBe("zh");
    expect(pickLanguage("tlh", ["fr"])).toBe("en");
  });
});
