/** Sentences that people read are short. */
import { expect, it } from "vitest";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { catalogues, textsOf } from "../support/reader-texts.ts";
import { pages, root } from "./read-blocks.ts";

const mostWords = 20;
const mostHanCharacters = 40;

/** Tables, examples and programs that the command line prints or writes. They have no sentences. */
const withoutSentences = [
  "server/cli/ca.ts",
  "server/cli/completion/shell-scripts.ts",
  "server/cli/types/client-runtime.ts",
  "server/cli/init/project-files.ts",
];

const han = /\p{Script=Han}/gu;
const hanCharacters = (text: string) => text.match(han)?.length ?? 0;

/** The words of an English sentence; code between back quotes is one word, and a link is its text. */
const wordsOf = (sentence: string) =>
  sentence
    .replace(/`[^`]*`/g, "X")
    .replace(/\]\([^)]*\)/g, "]")
    .split(/\s+/)
    .filter((word) => /[a-z0-9]/i.test(word)).length;

const isLong = (sentence: string) =>
  hanCharacters(sentence) > 0 ? hanCharacters(sentence) > mostHanCharacters : wordsOf(sentence) > mostWords;

/** Sentences end with a full stop, a question or an exclamation mark, or with their line or paragraph. */
const sentencesOf = (text: string) => text.split(/(?<=[.!?])\s+|(?<=[。！？；：])|\n\s*[-#<|]|\n\s*\n/);

const files = catalogues.filter((file) => !withoutSentences.includes(file));

it(`no sentence has more than ${String(mostWords)} words or ${String(mostHanCharacters)} Chinese characters`, () => {
  const found = files.flatMap((file) =>
    textsOf(file)
      .flatMap(sentencesOf)
      .filter(isLong)
      .map((sentence) => `${file}: ${sentence}`),
  );
  expect(found).toEqual([]);
});

/** A page without its code blocks, tables, pictures and comments. */
const proseOf = (page: string) =>
  readFileSync(join(root, page), "utf8")
    .replace(/^( *)```[^]*?^\1```$/gm, "\n\n")
    .replace(/<picture>[^]*?<\/picture>|<!--.*?-->/g, "\n\n")
    .replace(/^ *\|.*$/gm, "\n\n");

const isGuide = (page: string) => /^(?:README|docs\/guides\/|docs\/examples\/)/.test(page);

/** As {@link sentencesOf}; numbered lists and what follows a colon or a semicolon are sentences of their own. */
const sentencesOfPage = (text: string) =>
  text.split(/(?<=[.!?:;])[*"_)]*\s+|(?<=[。！？；：])|\n\s*(?:[-#]|\d+[.])|\n\s*\n/);

it(`no sentence of a guide has more than ${String(mostWords)} words or ${String(mostHanCharacters)} Chinese characters`, () => {
  const guides = pages.filter(isGuide);
  expect(guides.length).toBeGreaterThan(70);
  const found = guides.flatMap((page) =>
    sentencesOfPage(proseOf(page))
      .filter(isLong)
      .map((sentence) => `${page}: ${sentence.trim()}`),
  );
  expect(found).toEqual([]);
});
