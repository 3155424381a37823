/**
 * Answers for the starter model, over the port that answers for every model: looks a question up once, for the hints
 * before it and for the gate behind it, which lets the model answer only where it is sure. Other chats pass unchanged.
 */
import { dirname, join } from "node:path";
import type { AnswerChunk, ChatMessage, ChatRequest, Completions } from "../chat-completion.ts";
import { isEngineError } from "../engine/engine-failure.ts";
import type { InstalledModel } from "../models/library/installed-model.ts";
import { shortName } from "../models/library/model-name.ts";
import { OllamaError } from "../ollama-error.ts";
import { resolveOptions } from "../options/model-options.ts";
import { usageOfReading, type NoteUsage } from "../reporting/usage.ts";
import { AnswerJudge, createGate, judgedTokens, type Gate } from "./gate.ts";
import { hintsFor } from "./hints.ts";
import { refuseAnswer } from "./refuse.ts";
import { knownQuestion, languageOfText, topicsFile, topicsIn, type Found } from "./topics.ts";

/** The least product of the probabilities of an answer's first tokens. The measured shares in README.md hold for it. */
export const starterConfidence = 0.7;

export interface StarterOptions {
  /** The file of the model; its topics are beside it. */
  readonly file: string;
  /** How sure the model has to be of an answer, from 0 to 1; 0 lets every answer through. */
  readonly least: number;
  readonly noteUsage: NoteUsage;
}

/** The starter model was trained for greedy answers. */
export const starterParameters = { temperature: 0 };

interface Guidance {
  /** With hints, where there are any. */
  readonly request: ChatRequest;
  /** The question that the look-up is sure was meant, in words that the model knows: asked where the model is not sure. */
  readonly rephrased: ChatRequest | undefined;
  /** Undefined where every answer is let through. */
  readonly gate: Gate | undefined;
}

const isStarter = ({ header: { metadata } }: InstalledModel) =>
  metadata.get("general.name") === "Hearth Starter" && metadata.get("general.author") === "Hearth";

/** The last question of a chat with the starter model; undefined for other models, and with tools, a format or instructions. */
function plainQuestion({ messages, tools, format }: ChatRequest, model: InstalledModel): string | undefined {
  const last = messages.at(-1);
  const isShaped =
    tools.length > 0 || format !== undefined || Boolean(model.system) || messages.some(({ role }) => role === "system");
  return isShaped || last?.role !== "user" || !isStarter(model) ? undefined : last.content;
}

const answerOptions = (model: InstalledModel, request: ChatRequest) =>
  resolveOptions(model.parameters, request.options);

function withHints(request: ChatRequest, asked: string, near: readonly Found[], messages: readonly ChatMessage[]) {
  const hints = hintsFor(asked, near);
  const before = hints === undefined ? [] : [{ role: "system", content: hints }];
  return { ...request, messages: [...before, ...messages] };
}

/** The chunk as a client gets it that has not asked for log probabilities. */
function withoutLogprobs(chunk: AnswerChunk): AnswerChunk[] {
  if (!("logprobs" in chunk)) return [chunk];
  const { logprobs: _, ...rest } = chunk;
  return rest.type === "content" && rest.text === "" ? [] : [rest];
}

export function starter(completions: Completions, { file, least, noteUsage }: StarterOptions): Completions {
  const topics = topicsIn(join(dirname(file), topicsFile));

  /** The model's vector of a text; undefined where no memory is left for it. */
  async function vectorOf(model: InstalledModel, text: string, request: ChatRequest, signal: AbortSignal) {
    const how = { input: [text], truncate: true, dimensions: undefined, normalise: false, isInternal: true };
    try {
      return (await completions.embed(model, { ...request, ...how }, signal)).embeddings[0];
    } catch (error) {
      if (error instanceof OllamaError && isEngineError(error.cause, "out_of_memory")) return undefined;
      throw error;
    }
  }

  async function guide(
    question: string,
    model: InstalledModel,
    request: ChatRequest,
    signal: AbortSignal,
  ): Promise<Guidance> {
    const { find, all } = await topics();
    const hasVectors = all.some(({ vector }) => vector !== undefined);
    const found = find(question, hasVectors ? await vectorOf(model, question, request, signal) : undefined);
    // Small talk after an answer, such as "in Chinese, please", is about that answer.
    const isLater = request.messages.length > 1;
    const isAboutAnswer = isLater && found[0]?.topic.name === undefined;
    const known = isAboutAnswer ? undefined : knownQuestion(found)?.[languageOfText(question)];
    // Drawn answers have no such confidence.
    const isGated = least > 0 && answerOptions(model, request).temperature === 0;
    return {
      request: withHints(request, question, found, request.messages),
      rephrased:
        known === undefined ? undefined : withHints(request, known, find(known), [{ role: "user", content: known }]),
      gate: isGated ? createGate({ question, found, all, least, isKnown: known !== undefined, isLater }) : undefined,
    };
  }

  async function* answer(
    question: string,
    model: InstalledModel,
    request: ChatRequest,
    signal: AbortSignal,
  ): AsyncGenerator<AnswerChunk, void> {
    const beganMs = performance.now();
    const { request: hinted, rephrased, gate } = await guide(question, model, request, signal);
    if (gate === undefined) {
      yield* completions.chat(model, { ...hinted, beganMs }, signal);
      return;
    }
    const answerBeganMs = performance.now();
    const hidesLogprobs = request.logprobs === undefined;
    const judged = { ...hinted, beganMs, ...(hidesLogprobs && { logprobs: 0, logprobTokens: judgedTokens }) };
    const judge = new AnswerJudge(gate);
    let droppedMessages = 0;
    for await (const chunk of completions.chat(model, judged, signal)) {
      if (chunk.type === "cut") ({ droppedMessages } = chunk);
      const passed = judge.take(chunk);
      for (const one of hidesLogprobs ? passed.flatMap(withoutLogprobs) : passed) yield one;
      if (!judge.isUnsure) continue;
      if (rephrased !== undefined) break;
      // Comes before the generation ends, which would release the model.
      const refused = { model, request: hinted, options: answerOptions(model, request), tokens: judge.tokens };
      const times = { droppedMessages, beganMs, answerBeganMs };
      const { chunks, promptTokens } = await refuseAnswer(completions, gate.refuse(), { ...refused, ...times }, signal);
      noteUsage(usageOfReading(shortName(model.name), promptTokens));
      for (const one of chunks) yield one;
      return;
    }
    if (judge.isUnsure && rephrased !== undefined) yield* completions.chat(model, rephrased, signal);
  }

  async function hinted(model: InstalledModel, request: ChatRequest, signal: AbortSignal): Promise<ChatRequest> {
    const question = plainQuestion(request, model);
    return question === undefined ? request : (await guide(question, model, request, signal)).request;
  }

  return {
    ...completions,
    chat(model, request, signal) {
      const question = plainQuestion(request, model);
      return question === undefined
        ? completions.chat(model, request, signal)
        : answer(question, model, request, signal);
    },
    renderChat: async (model, request, signal) =>
      completions.renderChat(model, await hinted(model, request, signal), signal),
    countTokens: async (model, request, signal) =>
      completions.countTokens(model, await hinted(model, request, signal), signal),
  };
}
