/** The figures of a model, for the terminal and for its card. */
import { languages, type Language } from "../corpus/language.ts";
import type { Verdict } from "./judge.ts";
import type { Evaluation, Result } from "./evaluate.ts";

type Tally = Record<Verdict, number> & { of: number };
type Judged = Pick<Result, "kind" | "language" | "verdict">;

function tally(results: readonly Judged[], language: Language | undefined, ...kinds: readonly string[]): Tally {
  const chosen = results.filter(
    (result) => (language === undefined || result.language === language) && kinds.includes(result.kind),
  );
  const count = (verdict: Verdict) => chosen.filter((result) => result.verdict === verdict).length;
  return { right: count("right"), wrong: count("wrong"), refused: count("refused"), of: chosen.length };
}

const percent = (part: number, of: number) => (of === 0 ? "–" : `${((100 * part) / of).toFixed(1)} %`);

export interface Bar {
  readonly name: string;
  readonly wanted: string;
  readonly measured: string;
  readonly met: boolean;
}

const atLeast = (name: string, part: number, of: number, share: number): Bar => ({
  name,
  wanted: `≥ ${share} %`,
  measured: `${part}/${of} (${percent(part, of)})`,
  met: of > 0 && (100 * part) / of >= share,
});
const atMost = (name: string, part: number, of: number, share: number): Bar => ({
  name,
  wanted: `≤ ${share} %`,
  measured: `${part}/${of} (${percent(part, of)})`,
  met: of > 0 && (100 * part) / of <= share,
});
const figure = (name: string, value: number, limit: number, unit: string, least: boolean): Bar => ({
  name,
  wanted: `${least ? "≥" : "<"} ${limit} ${unit}`,
  measured: `${value.toFixed(0)} ${unit}`,
  met: least ? value >= limit : value < limit,
});

const names = { en: "English", zh: "Chinese" };

/** What a starter model has to reach, and what this one reaches. */
export function barsOf({ results, recall, speed, bytes }: Evaluation): Bar[] {
  const perLanguage = languages.flatMap((language) => {
    const sets = [["fact", "held-out facts"] as const, ["independent, fact", "independent facts"] as const];
    return sets.flatMap(([kind, name]) => {
      const { right, wrong, refused, of } = tally(results, language, kind);
      return [
        atLeast(`${name}, ${names[language]}: right`, right, of, 90),
        atMost(`${name}, ${names[language]}: wrong`, wrong, of, 3),
        atMost(`${name}, ${names[language]}: refused`, refused, of, 3),
      ];
    });
  });
  const share = (name: string, least: number, ...kinds: string[]) => {
    const { right, of } = tally(results, undefined, ...kinds);
    return atLeast(name, right, of, least);
  };
  return [
    ...perLanguage,
    share("open domain: refused", 95, "refusal", "independent, refusal"),
    share("tool calls: exact", 85, "tool call"),
    share("JSON: exact", 85, "json"),
    ...languages.map((language) =>
      atLeast(`nearest paraphrase, ${names[language]}`, recall[language].right, recall[language].of, 80),
    ),
    figure("speed", speed.tokensPerSecond, 400, "tokens/s", true),
    figure("first token", speed.firstMs, 100, "ms", false),
    figure("load", speed.loadMs, 300, "ms", false),
    figure("size", bytes / 1e6, 20, "MB", false),
  ];
}

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** Bars and all kinds of questions, as Markdown. */
export function reportOf(evaluation: Evaluation): string {
  const { results, learned } = evaluation;
  const bars = barsOf(evaluation).map(({ name, wanted, measured, met }) =>
    row([name, wanted, measured, met ? "yes" : "no"]),
  );
  const strictly = results
    .filter(({ kind }) => kind === "fact")
    .map(({ language, strict }) => ({ kind: "fact, its own answer alone", language, verdict: strict }));
  const judged: readonly Judged[] = [...results, ...strictly];
  const kinds = [...new Set(judged.map(({ kind }) => kind))].map((kind) => {
    const cells = languages.flatMap((language) => {
      const { right, wrong, refused, of } = tally(judged, language, kind);
      return of === 0 ? ["–", "–", "–"] : [`${right}/${of} (${percent(right, of)})`, String(wrong), String(refused)];
    });
    return row([kind, ...cells]);
  });
  return [
    row(["Bar", "Wanted", "Measured", "Met"]),
    row(["---", "---", "---", "---"]),
    ...bars,
    "",
    row(["Kind", "English: right", "wrong", "refused", "Chinese: right", "wrong", "refused"]),
    row(["---", "---", "---", "---", "---", "---", "---"]),
    ...kinds,
    "",
    `Independent questions that happen to be among those to learn from, word for word: ${learned}.`,
    "",
  ].join("\n");
}
