/**
 * Lets the starter model answer only where it is sure. A wrong answer of so small a model sounds like a right one, but the
 * product of its first tokens' probabilities tells them apart.
 */
import type { AnswerChunk } from "../chat-completion.ts";
import { languageOfText, type Found, type Topic } from "./topics.ts";

/** The replacement of an answer: a text, and questions that the model can answer. */
export interface GateRefusal {
  readonly text: string;
  readonly suggestions: readonly string[];
}

export interface Gate {
  /** The confidence, from 0 to 1, from which an answer is let through. */
  readonly least: number;
  /** How the answers begin that the look-up expects, too: two that agree need less confidence. */
  readonly expected: readonly string[];
  /**
   * How answers begin that are not let through however sure the model is: the look-up is sure of another topic, or finds
   * theirs unlikely.
   */
  readonly unexpected: readonly string[];
  readonly refuse: () => GateRefusal;
}

/** The tokens whose probabilities make the confidence; later ones tell little more. */
export const judgedTokens = 12;
const suggestionCount = 3;
/** The share of the usual confidence that is enough for an expected answer, and for one to an exercise. */
const expectedShare = 0.5;

const refusals = {
  en: "I am not sure about that: I am only Hearth's starter model and know little but Hearth. For more, pull a larger model: hearth pull MODEL",
  zh: "这个我没有把握：我只是 Hearth 的入门模型，只熟悉 Hearth。需要更多，请拉取更大的模型：hearth pull MODEL",
};

/** The share of the look-up from which a topic may be answered for: with less, most answers are wrong. */
const leastShare = 0.4;

const beginsOf = (found: readonly Found[]) =>
  found.flatMap(({ topic: { begins } }) => (begins ? [begins.en, begins.zh] : []));

interface GateOptions {
  readonly question: string;
  /** The topics near to it, the nearest first. */
  readonly found: readonly Found[];
  /** Offered also where none is near. */
  readonly all: readonly Topic[];
  readonly least: number;
  /** Whether the look-up is sure of the nearest. */
  readonly isKnown: boolean;
  /** Whether it stands behind an answer: it may be about that, which the look-up does not see. */
  readonly isLater: boolean;
}

export function createGate({ question, found, all, least, isKnown, isLater }: GateOptions): Gate {
  const language = languageOfText(question);
  const near = found.map(({ topic }) => topic);
  // An answer that is copied or computed is not known by heart.
  const isExercise = near[0] !== undefined && near[0].begins === undefined;
  const isNear = ({ topic: { name }, share }: Found, index: number) =>
    name === undefined || (isKnown ? index === 0 : isLater || share >= leastShare);
  return {
    least: isExercise ? expectedShare * least : least,
    expected: beginsOf(found.slice(0, 1).filter(isNear)),
    unexpected: beginsOf(found.filter((one, index) => !isNear(one, index))),
    refuse() {
      const offered = [...new Set([...near, ...all])].flatMap(({ name, question: known }) =>
        name && known ? [known[language]] : [],
      );
      return { text: refusals[language], suggestions: offered.slice(0, suggestionCount) };
    },
  };
}

/**
 * Holds an answer until its first tokens were likely enough, and then lets all of it through. States: judging, then either
 * sure or unsure; nothing of an unsure answer is let through.
 */
export class AnswerJudge {
  isUnsure = false;
  /** Tokens judged so far. */
  tokens = 0;
  readonly #gate: Gate;
  #isSure = false;
  #held: AnswerChunk[] = [];
  #logarithm = 0;
  #text = "";

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** @returns what is let through now */
  take(chunk: AnswerChunk): AnswerChunk[] {
    if (this.#isSure || chunk.type === "cut" || chunk.type === "loading" || chunk.type === "progress") return [chunk];
    this.#held.push(chunk);
    if (chunk.type === "content") this.#text += chunk.text;
    if ("logprobs" in chunk)
      for (const { logprob } of (chunk.logprobs ?? []).slice(0, judgedTokens - this.tokens)) {
        this.tokens++;
        this.#logarithm += logprob;
      }
    this.#judge(chunk.type === "done");
    return this.#isSure && !this.isUnsure ? this.#held : [];
  }

  #judge(isWhole: boolean): void {
    const { least, expected, unexpected } = this.#gate;
    const isExpected = expected.some((begin) => this.#agreesWith(begin));
    this.#isSure = isWhole || this.tokens === judgedTokens;
    // A short answer of another kind, such as a number, may be how one of a topic begins.
    const isUnexpected = unexpected.some((begin) => (isWhole ? this.#text.startsWith(begin) : this.#agreesWith(begin)));
    this.isUnsure =
      Math.exp(this.#logarithm) < (isExpected ? expectedShare * least : least) ||
      (this.#isSure && !isExpected && isUnexpected);
  }

  #agreesWith = (begin: string) => begin.startsWith(this.#text) || this.#text.startsWith(begin);
}
