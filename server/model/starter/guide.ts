/** Guides the starter model through a question: looks it up once, for the hints before it and for the gate behind it. */
import type { ChatMessage, ChatRequest } from "../chat-completion.ts";
import type { InstalledModel } from "../models/library/installed-model.ts";
import type { LoadOptions } from "../engine/scheduler/load-options.ts";
import { createGate, type Gate } from "./gate.ts";
import { hintsFor } from "./hints.ts";
import { plainQuestion } from "./plain-question.ts";
import { knownQuestion, languageOfText, type Found, type Topics } from "./topics.ts";

export interface Guidance {
  /** With hints, where there are any. */
  readonly request: ChatRequest;
  /** The question that the look-up is sure was meant, in words that the model knows: to ask where the model was not sure. */
  readonly rephrased?: ChatRequest;
  /** Undefined where answers are let through as they are: drawn ones have no such confidence. */
  readonly gateFor: (options: LoadOptions) => Gate | undefined;
}

interface GuideOptions {
  /** The setting starter_confidence. */
  readonly least: number;
  readonly topics: () => Promise<Topics>;
}

/** @param vectorOf the model's vector of a text; undefined where it cannot be had */
export type Guide = (
  request: ChatRequest,
  model: InstalledModel,
  vectorOf: (text: string) => Promise<readonly number[] | undefined>,
) => Promise<Guidance>;

export const createGuide =
  ({ least, topics }: GuideOptions): Guide =>
  async (request, model, vectorOf) => {
    const question = plainQuestion(request, model);
    if (question === undefined) return { request, gateFor: () => undefined };
    const { find, all } = await topics();
    const hinted = (asked: string, near: readonly Found[], messages: readonly ChatMessage[]): ChatRequest => {
      const hints = hintsFor(asked, near);
      const before = hints === undefined ? [] : [{ role: "system", content: hints }];
      return { ...request, messages: [...before, ...messages] };
    };
    const hasVectors = all.some(({ vector }) => vector !== undefined);
    const found = find(question, hasVectors ? await vectorOf(question) : undefined);
    // Behind an answer, small talk such as "in Chinese, please" is about that answer.
    const isLater = request.messages.length > 1;
    const isAboutAnswer = isLater && found[0]?.topic.name === undefined;
    const known = isAboutAnswer ? undefined : knownQuestion(found)?.[languageOfText(question)];
    return {
      request: hinted(question, found, request.messages),
      ...(known && { rephrased: hinted(known, find(known), [{ role: "user", content: known }]) }),
      gateFor: ({ options }) =>
        least === 0 || options.temperature !== 0
          ? undefined
          : createGate({ question, found, all, least, isKnown: known !== undefined, isLater }),
    };
  };
