/** The model card: what the model is, what it was made of, and what it can do, as measured. */
import type { Knowledge } from "../corpus/topics.ts";
import { countWordings } from "../corpus/questions.ts";
import { languages } from "../corpus/language.ts";
import type { Shape } from "../gguf/write-model.ts";

/** How a model was made: `made.json` beside it. */
export interface Making {
  readonly version: string;
  readonly seed: number;
  readonly shape: Shape;
  /** `questions`: how many wordings the model has learned from. */
  readonly corpus: {
    readonly samples: number;
    readonly tokens: number;
    readonly questions: number;
    readonly renewed: number;
  };
  /** All in all, also before the corpus was renewed. */
  readonly trained: {
    readonly tokens: number;
    readonly steps: number;
    readonly seconds: number;
    /** What the last training ran on. */
    readonly device: string;
    /** What else is to be known of it: sentences for the card, written by hand. */
    readonly note?: string;
  };
  /** Whether the weights are the mean of those that the last training began with and those that it learned. */
  readonly averaged: boolean;
  readonly bytes: number;
}

function parameters({ vocabulary, width, layers, heads, key_heads: keys, feed_forward: inner }: Shape): number {
  const attention = 2 * width * width + (2 * width * width * keys) / heads;
  return vocabulary * width + layers * (attention + 3 * width * inner + 2 * width) + width;
}

const timeOf = (seconds: number) =>
  seconds < 5400 ? `${(seconds / 60).toFixed(1)} minutes` : `${(seconds / 3600).toFixed(1)} hours`;
const millions = (count: number) => `${(count / 1e6).toFixed(1)} million`;

/** @param report bars and figures, as reportOf writes them */
export function cardOf(knowledge: Knowledge, made: Making, report: string): string {
  const { facts, smallTalk, open } = knowledge;
  const { shape } = made;
  const { asked, judgedBy } = countWordings(knowledge);
  const learned =
    made.corpus.questions < asked
      ? ` The model learned from ${made.corpus.questions} of these questions, its look-up from all.`
      : "";
  const written = languages.reduce((sum, language) => sum + open[language].asked.length, 0);
  return `# Hearth's starter model

Version ${made.version}. A small language model that knows Hearth, in English and Simplified Chinese, so that the first chat works
offline. For all else it says what it is and names \`hearth pull MODEL\`. MIT licence, as all of Hearth: text and weights are made
here, no other model or data set is in it.

## What it is

Architecture llama: ${millions(parameters(shape))} parameters; ${shape.layers} layers of width ${shape.width}, ${shape.heads} heads
(${shape.key_heads} of keys and values), feed-forward ${shape.feed_forward}, context ${shape.context}; byte-pair encoding of
${shape.vocabulary} pieces with bytes for what is in none. Weights in Q8_0, ${(made.bytes / 1e6).toFixed(1)} MB. The chat template is ChatML, with
tools as JSON lines in the system message and calls as \`<tool_call>\`.

## What it was made of

${facts.length} facts and ${smallTalk.length} kinds of small talk, each with one answer in each language and together ${asked} questions,
written by hand or as phrasings with choices; ${written} written questions about other things, and templates for more. A seeded generator
makes conversations of them, with other words, typos, follow-ups, system prompts, and exercises: tool calls, JSON, copying, counting,
small sums. Before 70 % of the questions stand hints, as Hearth's model service gives them: the names of the topics, at most five,
that a look-up finds likeliest; half of these questions lack words.${learned} ${judgedBy} questions were set aside as a whole, before anything was made of them, as were templates and words.

## How it was trained

${millions(made.trained.tokens)} tokens of a corpus of ${made.corpus.samples} samples (${millions(made.corpus.tokens)} tokens), seed ${made.seed}, in ${made.trained.steps} steps;
${timeOf(made.trained.seconds)} of training on ${made.trained.device}. \`npm run starter-model\` does all of it again.${
    made.trained.note === undefined ? "" : ` ${made.trained.note}`
  }${
    made.corpus.renewed > 0
      ? ` The corpus was renewed ${made.corpus.renewed} times on the way:
${made.averaged ? "the last time the weights were averaged with those before. A" : "a"} run from the beginning sees the last corpus only, and has not been made.`
      : ""
  }

## What it can do

Asked greedily, through the model service with its hints, its second question where the look-up is sure and the model is not, and its refusals, from this file. "Held-out" questions have wordings or templates that were set aside.
Some of them are answered by a neighbouring fact, too: two readers said so, who saw the question and five answers, neither whose question it was nor what the model says. "Its own answer alone" counts without these.
The independent ones were written by somebody who had seen the list of facts and nothing else.

${report}
## Limits

- A wrong answer is mostly another fact, told with confidence.
- It copies names, numbers and texts into calls and JSON, and sometimes changes a letter.
- Of upper case, repeating, names and sums some is refused (see the table). It cannot write, translate, program or look anything up.
- Use temperature 0. Long conversations confuse it. Without hints it is right less often.
`;
}
