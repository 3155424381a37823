/** Questions about topics, in the wordings to learn from or in those that were kept back. */
import { z } from "zod";
import { readData } from "./data-files.ts";
import { heldOut } from "./held-out.ts";
import { languages, plainForm, type Language } from "./language.ts";
import { expand, readings } from "./patterns.ts";
import type { Random } from "./random.ts";
import type { Knowledge, Topic } from "./topics.ts";
import { typed } from "./typing.ts";

const frames = z.record(z.enum(languages), z.array(z.string())).parse(JSON.parse(readData("corpus/frames.json")));
const framesFor = (language: Language, held: boolean) =>
  frames[language].filter((frame) => heldOut("frame", frame) === held);

/** How many wordings of facts and small talk there are to learn from, and to be judged by. */
export function countWordings({ byId }: Knowledge): { readonly asked: number; readonly judgedBy: number } {
  const sides = [...byId.values()].flatMap((topic) => languages.map((language) => topic[language]));
  const count = (of: "asked" | "judgedBy") => sides.reduce((sum, side) => sum + side[of].length, 0);
  return { asked: count("asked"), judgedBy: count("judgedBy") };
}

export class Questions {
  readonly #keptBack: ReadonlySet<string>;

  constructor({ byId, open }: Knowledge) {
    const kept = [...byId.values()].flatMap(({ en, zh }) => [...en.judgedBy, ...zh.judgedBy]);
    const texts = [...kept, ...open.en.judgedBy, ...open.zh.judgedBy];
    this.#keptBack = new Set(texts.flatMap((text) => readings(text)).map(plainForm));
  }

  /** Whether a question is one that the model is judged by. */
  isKeptBack(text: string): boolean {
    return this.#keptBack.has(plainForm(text));
  }

  /** A text as somebody may type it who asks for a topic; undefined where the model is judged by it. */
  #typed(topic: Topic, language: Language, text: string, random: Random): string | undefined {
    const options = topic.area === "small-talk" ? { calm: true } : { answer: topic[language].answer };
    const user = typed(text, language, random, options);
    return this.isKeptBack(text) || this.isKeptBack(user) ? undefined : user;
  }

  /** One reading of a wording, as somebody may type it; undefined where the model is judged by it. */
  askWith(wording: string, topic: Topic, language: Language, random: Random): string | undefined {
    return this.#typed(topic, language, expand(wording, random), random);
  }

  /** A question as somebody may type it, to learn from, and the wording or frame that it was made of. */
  askBy(topic: Topic, language: Language, random: Random): { readonly user: string; readonly wording: string } {
    const { asked, named } = topic[language];
    for (;;) {
      const framed = named.length > 0 && (asked.length === 0 || random.chance(0.12));
      const wording = random.pick(framed ? framesFor(language, false) : asked);
      const user = framed
        ? this.#typed(topic, language, wording.replace("{t}", random.pick(named)), random)
        : this.askWith(wording, topic, language, random);
      if (user !== undefined) return { user, wording };
    }
  }

  ask(topic: Topic, language: Language, random: Random): string {
    return this.askBy(topic, language, random).user;
  }

  /** Wordings that were kept back, as they were written: so many, where there are. */
  judge(topic: Topic, language: Language, random: Random, most: number): string[] {
    return random.sample(topic[language].judgedBy, most).map((wording) => expand(wording, random));
  }

  /** A question about a topic by its name, where it has one, in a frame that was kept back. */
  judgeByName(topic: Topic, language: Language, random: Random): string[] {
    const kept = framesFor(language, true);
    const { named } = topic[language];
    return kept.length > 0 && named.length > 0 ? [random.pick(kept).replace("{t}", random.pick(named))] : [];
  }
}
