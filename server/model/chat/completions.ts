/** Answers chats, prompts and texts of every family of routes. */
import type { ChatRequest, Completions, ModelRequest, PromptRequest } from "../chat-completion.ts";
import type { Guide } from "../starter/guide.ts";
import { chatOptions, lacks } from "./chat.ts";
import { complete, type CompleteDeps } from "./complete.ts";
import type { CompletionOptions } from "./completion-options.ts";
import { embedWith } from "./embed.ts";
import { isEngineError } from "../engine/engine-failure.ts";
import { generateOptions } from "./generate.ts";
import type { InstalledModel, Library } from "../models/library/library.ts";
import { OllamaError } from "../ollama-error.ts";
import { resolveOptions, type RawOptions } from "../options/model-options.ts";
import { capabilitiesOf, chatTemplateOf } from "./prompt/capabilities.ts";
import { templateOfRequest } from "../models/library/template-of-request.ts";
import type { ChatTemplates } from "./prompt/chat-template.ts";
import { findModel, unknownAsSent, unknownToPull } from "../models/find-model.ts";
import { usageOfReading } from "../reporting/usage.ts";
import { windowOf, type LoadOptions } from "../engine/scheduler/load-options.ts";
import { shortName } from "../models/library/model-name.ts";
import { renderPrompt } from "./start-generating.ts";
import { beginWithModel, reportLoading, withModel, type BegunWork } from "./with-model.ts";

export interface CompletionsOptions extends CompleteDeps {
  readonly library: Library;
  readonly templates: ChatTemplates;
  /** The model's own parameters override these. */
  readonly defaults: RawOptions;
  /** Whether answers in a format may have members that its schema does not name but allows. */
  readonly isOpen: boolean;
  readonly guide: Guide;
}

/** For work that generates nothing. */
const beside = <Options extends LoadOptions>(options: Options): Options => ({ ...options, needsPlace: false });

export function createCompletions({
  library,
  scheduler,
  speeds,
  noteUsage,
  templates,
  defaults,
  isOpen,
  guide,
}: CompletionsOptions): Completions {
  const optionsOf = (model: InstalledModel, { options, keepAliveMs }: ModelRequest): LoadOptions => ({
    model,
    options: resolveOptions(defaults, model.parameters, options),
    keepAliveMs,
  });

  /** The model, if it generates text. */
  async function findFor(what: "chat" | "generate", sent: string): Promise<InstalledModel> {
    const model = await findModel(library, sent, unknownAsSent);
    if (!(await capabilitiesOf(templates, model)).includes("completion"))
      throw new OllamaError(400, `${JSON.stringify(sent)} does not support ${what}`);
    return model;
  }

  /** The model's vector of a text; undefined where no memory is left for it. */
  async function vectorOf(text: string, options: LoadOptions, signal: AbortSignal) {
    const { embeddings } = await withModel(scheduler, options, signal, (loaded) =>
      loaded.embed({ texts: [text], overflow: "cut" }, signal).catch((error: unknown) => {
        if (isEngineError(error, "out_of_memory")) return { embeddings: [] };
        throw error;
      }),
    );
    return embeddings[0];
  }

  async function chatOptionsOf(request: ChatRequest, signal: AbortSignal): Promise<CompletionOptions> {
    const model = await findFor("chat", request.model);
    const template = await chatTemplateOf(templates, request.model, model);
    if (template === undefined)
      throw new OllamaError(
        400,
        `"${request.model}" does not support chat: this server cannot run its Go template, and its file has no other; use /api/generate`,
      );
    const {
      request: guided,
      rephrased,
      gateFor,
    } = await guide(request, model, (text) => vectorOf(text, optionsOf(model, request), signal));
    const completionOf = (asked: ChatRequest) =>
      chatOptions(asked, template, { model, loadOptions: () => optionsOf(model, request), isOpen });
    const options = completionOf(guided);
    return { ...options, gate: gateFor(options), rephrased: rephrased && completionOf(rephrased) };
  }

  async function promptOptionsOf(request: PromptRequest): Promise<CompletionOptions> {
    const model = await findFor("generate", request.model);
    const template = await (request.template
      ? templates.compile(request.model, templateOfRequest(request.template))
      : chatTemplateOf(templates, request.model, model));
    return generateOptions(request, template, { model, loadOptions: () => optionsOf(model, request), isOpen });
  }

  const rendered = (request: CompletionOptions, signal: AbortSignal) =>
    withModel(scheduler, beside(request), signal, (loaded) => renderPrompt(request, loaded, signal));

  /** A text of its own for a model that cannot do this; the engine reports it only after a try. */
  const orLacks = (model: InstalledModel, capability: "embedding") => (error: unknown) => {
    throw isEngineError(error, "not_supported") ? lacks(model, capability) : error;
  };

  const deps = { scheduler, speeds, noteUsage };
  return {
    chat: (request, signal) => complete(deps, () => chatOptionsOf(request, signal), signal),
    generate: (request, signal) => complete(deps, () => promptOptionsOf(request), signal),
    renderChat: async (request, signal) => rendered(await chatOptionsOf(request, signal), signal),
    renderPrompt: async (request, signal) => rendered(await promptOptionsOf(request), signal),
    async countTokens(request, signal) {
      const options = await chatOptionsOf(request, signal);
      return withModel(scheduler, beside(options), signal, async (loaded) =>
        loaded.countPrompt((await options.prompt(loaded, 0)).text, signal),
      );
    },
    async embed(request, signal) {
      const beganMs = performance.now();
      const model = await findModel(library, request.model, unknownToPull);
      const loadOptions = optionsOf(model, request);
      const embedded = await withModel(scheduler, loadOptions, signal, (loaded) =>
        embedWith(loaded, request, { beganMs, window: windowOf(loadOptions), signal }).catch(
          orLacks(model, "embedding"),
        ),
      );
      noteUsage(usageOfReading(shortName(model.name), embedded.prompt_eval_count));
      return embedded;
    },
    async rank(request, signal) {
      const model = await findModel(library, request.model, unknownAsSent);
      return withModel(scheduler, optionsOf(model, request), signal, async (loaded) => {
        if (!loaded.canRank) throw new OllamaError(400, `${JSON.stringify(request.model)} does not support rerank`);
        const { query, documents } = request;
        return loaded.rank({ query, documents: [...documents] }, signal);
      });
    },
    async tokenize(request, signal) {
      const model = await findModel(library, request.model, unknownAsSent);
      return withModel(scheduler, beside(optionsOf(model, request)), signal, (loaded) =>
        loaded.tokenize(request.text, signal),
      );
    },
    async detokenize(request, signal) {
      const model = await findModel(library, request.model, unknownAsSent);
      return withModel(scheduler, beside(optionsOf(model, request)), signal, (loaded) =>
        loaded.detokenize(request.tokens, signal),
      );
    },
    async *load(request, signal) {
      const model = await findModel(library, request.model, unknownAsSent);
      const begin = (onLoading: (fraction: number) => void) =>
        beginWithModel(scheduler, { ...beside(optionsOf(model, request)), onLoading }, signal, async () => undefined);
      const giveBack = ({ lease }: BegunWork<undefined>) => lease.release();
      giveBack(yield* reportLoading(begin, (fraction) => fraction, giveBack));
    },
    async unload(sent) {
      scheduler.unload(await findModel(library, sent, unknownAsSent));
    },
    async capabilities(sent) {
      return capabilitiesOf(templates, await findModel(library, sent, unknownAsSent));
    },
  };
}
