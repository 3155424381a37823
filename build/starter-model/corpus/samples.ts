/** The mixture that the model learns from. */
import { exercises } from "../skills/exercises.ts";
import { extractionTask } from "../skills/extraction.ts";
import { beyondTools, openQuestion, refusalOf } from "../skills/open-domain.ts";
import type { Task } from "../skills/task.ts";
import { someTools, toolTask } from "../skills/tool-tasks.ts";
import { segmentsOf, type Conversation, type Message, type Segment } from "./chat.ts";
import { followUp } from "./follow-ups.ts";
import type { Hints } from "./hints.ts";
import { languages, type Language } from "./language.ts";
import type { Questions } from "./questions.ts";
import type { Random } from "./random.ts";
import { instructed, someSystem } from "./system-prompts.ts";
import type { Knowledge, Topic } from "./topics.ts";
import { thinned, typed } from "./typing.ts";

interface Turn {
  readonly user: string;
  readonly assistant: string;
  /** What the question was made of. */
  readonly wording?: string;
  /** What it was about, for what may be asked next. */
  readonly topic?: Topic | undefined;
  readonly language: Language;
}

export interface Sample {
  readonly kind: string;
  readonly segments: readonly Segment[];
}

/** Shares of the kinds of samples. Copying has many, because a small model learns it last. */
const shares = {
  fact: 26,
  conversation: 8,
  smallTalk: 7,
  refusal: 13,
  instruction: 7,
  repeating: 5,
  toolCall: 14,
  toolResult: 2,
  noTool: 4,
  extraction: 7,
  names: 2,
  upperCase: 4,
  counting: 4,
  countUp: 2,
  sums: 7,
  translating: 4,
} as const;
type Kind = keyof typeof shares;

/** Of the conversations without tools. Other programs that run the model give no hints. */
const hintedShare = 0.7;
/** Of the questions after hints: with words missing, so that the hints are needed and not only the question learned by heart. */
const thinnedShare = 0.5;

const isExercise = (kind: Kind): kind is keyof typeof exercises => kind in exercises;
const kinds = Object.keys(shares) as Kind[];
const total = Object.values(shares).reduce((sum, share) => sum + share, 0);

function drawKind(random: Random): Kind {
  let draw = random.next() * total;
  return kinds.find((kind) => (draw -= shares[kind]) < 0) ?? "fact";
}

export class Sampler {
  readonly #knowledge: Knowledge;
  readonly #questions: Questions;
  readonly #hintsFor: Hints;
  readonly #random: Random;

  constructor(knowledge: Knowledge, questions: Questions, hintsFor: Hints, random: Random) {
    this.#knowledge = knowledge;
    this.#questions = questions;
    this.#hintsFor = hintsFor;
    this.#random = random;
  }

  /** A sample in which nobody asks what the model is judged by: a task may have the words of a question. */
  sample(): Sample {
    for (;;) {
      const kind = drawKind(this.#random);
      const language = this.#random.pick(languages);
      const conversation = this.#conversation(kind, language);
      const isJudged = conversation.messages.some(
        ({ role, content }) => role === "user" && this.#questions.isKeptBack(content),
      );
      if (!isJudged) return { kind, segments: segmentsOf(conversation) };
    }
  }

  #conversation(kind: Kind, language: Language): Conversation {
    const random = this.#random;
    if (isExercise(kind)) return this.#task(exercises[kind](language, random, false));
    switch (kind) {
      case "fact":
        return this.#single(this.#factTurn(language));
      case "smallTalk":
        return this.#single(this.#talkTurn(language));
      case "refusal":
        return this.#single(this.#refusalTurn(language));
      case "conversation":
        return this.#several(language);
      case "instruction": {
        const topic = random.pick(this.#knowledge.facts);
        const { system, answer } = instructed(topic, language, random, false);
        const user = this.#questions.ask(topic, language, random);
        return { system, messages: messagesOf([{ user, assistant: answer, language }]) };
      }
      case "noTool": {
        const refusal = () => {
          const { text, answer } = openQuestion(language, random, false, beyondTools);
          return { user: typed(text, language, random, { calm: true }), assistant: answer, language };
        };
        const turn = random.chance(0.7) ? this.#factTurn(language) : refusal();
        return { system: someSystem(random), messages: messagesOf([turn]), tools: someTools(random) };
      }
      case "toolCall":
        return this.#task(toolTask(language, random, { held: false, answered: false }));
      case "toolResult":
        return this.#task(toolTask(language, random, { held: false, answered: true }));
      case "extraction":
        return this.#task(extractionTask(language, random, false));
    }
  }

  #single(turn: Turn): Conversation {
    return this.#hinted([turn]);
  }

  /** Turns, mostly with hints before them, as the service gives them: it does so where there is no other system message. */
  #hinted(turns: readonly Turn[]): Conversation {
    const random = this.#random;
    const last = turns.at(-1);
    if (last === undefined || !random.chance(hintedShare))
      return { system: someSystem(random), messages: messagesOf(turns) };
    const system = this.#hintsFor(last.user, last.wording);
    const asked = random.chance(thinnedShare) ? { ...last, user: thinned(last.user, random) } : last;
    return { system, messages: messagesOf([...turns.slice(0, -1), asked]) };
  }

  #task({ conversation, answer }: Task): Conversation {
    const { messages, tools } = conversation;
    const isHinted = !tools && this.#random.chance(hintedShare);
    return {
      ...conversation,
      system: isHinted ? this.#hintsFor(messages.at(-1)?.content ?? "") : someSystem(this.#random),
      messages: [...messages, { role: "assistant", content: answer }],
    };
  }

  #factTurn(language: Language): Turn {
    const topic = this.#random.pick(this.#knowledge.facts);
    const asked = this.#questions.askBy(topic, language, this.#random);
    return { ...asked, assistant: topic[language].answer, topic, language };
  }

  #talkTurn(language: Language): Turn {
    const topic = this.#random.pick(this.#knowledge.smallTalk);
    const user = this.#questions.ask(topic, language, this.#random);
    return { user, assistant: topic[language].answer, language };
  }

  #refusalTurn(language: Language): Turn {
    const random = this.#random;
    const { asked } = this.#knowledge.open[language];
    const written = asked.length > 0 && random.chance(0.45);
    const { text, answer } = written
      ? { text: random.pick(asked), answer: refusalOf("general", language) }
      : openQuestion(language, random, false);
    return { user: typed(text, language, random, { calm: random.chance(0.7) }), assistant: answer, language };
  }

  #several(first: Language): Conversation {
    const random = this.#random;
    const turns: Turn[] = [];
    let language = first;
    for (let left = random.pick([2, 2, 3, 3, 4, 5]); left > 0; left--) {
      const turn = this.#next(turns.at(-1), language);
      turns.push(turn);
      language = random.chance(0.08) ? random.pick(languages) : turn.language;
    }
    return this.#hinted(turns);
  }

  #next(last: Turn | undefined, language: Language): Turn {
    const random = this.#random;
    const next =
      last?.topic !== undefined && random.chance(0.65)
        ? followUp(this.#knowledge, last.topic, last.language, random, false)
        : undefined;
    if (next !== undefined)
      return {
        user: next.question,
        assistant: next.topic[next.language].answer,
        topic: next.topic,
        language: next.language,
      };
    if (random.chance(0.72)) return this.#factTurn(language);
    return random.chance(0.5) ? this.#talkTurn(language) : this.#refusalTurn(language);
  }
}

const messagesOf = (turns: readonly Turn[]): Message[] =>
  turns.flatMap(({ user, assistant }): Message[] => [
    { role: "user", content: user },
    { role: "assistant", content: assistant },
  ]);
