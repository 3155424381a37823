/** Guides the starter model through a question: looks it up once, for the hints before it and for the gate behind it. */
import type { ChatRequest } from "../chat-completion.ts";
import type { InstalledModel } from "../library/installed-model.ts";
import type { LoadOptions } from "../scheduler/load-options.ts";
import { createGate, type Gate } from "./gate.ts";
import { hintsFor } from "./hints.ts";
import { plainQuestion } from "./plain-question.ts";
import type { Topics } from "./topics.ts";

export interface Guidance {
  /** With hints, where there are any. */
  readonly request: ChatRequest;
  /** Undefined where answers are let through as they are: drawn ones have no such confidence. */
  readonly gateFor: (options: LoadOptions) => Gate | undefined;
}

interface GuideOptions {
  /** The setting starter_confidence. */
  readonly least: number;
  readonly topics: () => Promise<Topics>;
}

export type Guide = (request: ChatRequest, model: InstalledModel) => Promise<Guidance>;

export const createGuide =
  ({ least, topics }: GuideOptions): Guide =>
  async (request, model) => {
    const question = plainQuestion(request, model);
    if (question === undefined) return { request, gateFor: () => undefined };
    const { find, all } = await topics();
    const found = find(question);
    const hints = hintsFor(question, found);
    const hinted = hints === undefined ? [] : [{ role: "system", content: hints } as const];
    return {
      request: { ...request, messages: [...hinted, ...request.messages] },
      gateFor: ({ options }) =>
        least === 0 || options.temperature !== 0 ? undefined : createGate(question, found, all, least),
    };
  };
