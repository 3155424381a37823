/** Answers chats, prompts and texts of every family of routes by the engine here. */
import type { ChatRequest, Completions, ModelRequest, PromptRequest } from "../chat-completion.ts";
import type { LoadOptions } from "../engine/scheduler/load-options.ts";
import type { InstalledModel } from "../models/library/installed-model.ts";
import { OllamaError } from "../ollama-error.ts";
import { resolveOptions, type RawOptions } from "../options/model-options.ts";
import { chatPrompts } from "./chat.ts";
import { complete, type CompleteDeps } from "./complete.ts";
import type { Completion } from "./completion.ts";
import { generatePrompts } from "./generate.ts";
import { lacksVision } from "./no-vision.ts";
import { capabilitiesOf, chatTemplateOf, type ChatTemplates } from "./prompt/chat-template.ts";
import { rulesTemplate } from "./prompt/rules-template.ts";
import { renderPrompt } from "./start-generating.ts";
import { createTexts, withoutPlace } from "./texts.ts";
import { beginWithModel, reportLoading, withModel, type BegunWork } from "./with-model.ts";

export interface CompletionsOptions extends CompleteDeps {
  readonly templates: ChatTemplates;
  /** The model's own parameters override these. */
  readonly defaults: RawOptions;
  /** Whether answers in a format may have members that its schema does not name but allows. */
  readonly isOpen: boolean;
  /** The models of all upstreams. */
  readonly remoteModels: () => Promise<readonly InstalledModel[]>;
}

export function createCompletions(options: CompletionsOptions): Completions {
  const { scheduler, templates, defaults, isOpen, remoteModels } = options;
  const loadFor = (model: InstalledModel, { options: own, keepAliveMs }: ModelRequest): LoadOptions => ({
    model,
    options: resolveOptions(defaults, model.parameters, own),
    keepAliveMs,
  });

  async function checkGenerates(model: InstalledModel, sent: string, what: "chat" | "generate"): Promise<void> {
    if (!(await capabilitiesOf(templates, model)).includes("completion"))
      throw new OllamaError(400, `${JSON.stringify(sent)} does not support ${what}`);
  }

  async function prepareChat(model: InstalledModel, request: ChatRequest): Promise<Completion> {
    await checkGenerates(model, request.model, "chat");
    if (model.rules === undefined && request.messages.some(({ images = [] }) => images.length > 0))
      throw await lacksVision(model, remoteModels);
    const template =
      model.rules === undefined
        ? await chatTemplateOf(templates, request.model, model, request.tools.length > 0)
        : rulesTemplate(request);
    // Invalid options are reported only after missing abilities.
    return { request, source: chatPrompts(request, template, model, isOpen), load: loadFor(model, request) };
  }

  async function preparePrompt(model: InstalledModel, request: PromptRequest): Promise<Completion> {
    await checkGenerates(model, request.model, "generate");
    // Rules see the request itself, in every mode.
    if (model.rules !== undefined) {
      const asked = { ...request, raw: false, template: undefined };
      return {
        request,
        source: generatePrompts(asked, rulesTemplate(request), model, isOpen),
        load: loadFor(model, request),
      };
    }
    if (request.images.length > 0) throw await lacksVision(model, remoteModels);
    const template = await (request.template
      ? templates.compile(request.model, request.template)
      : chatTemplateOf(templates, request.model, model));
    return { request, source: generatePrompts(request, template, model, isOpen), load: loadFor(model, request) };
  }

  const render = (completion: Completion, signal: AbortSignal) =>
    withModel(scheduler, withoutPlace(completion.load), signal, (loaded) => renderPrompt(completion, loaded, signal));

  return {
    ...createTexts({ ...options, loadFor }),
    chat: (model, request, signal) => complete(options, () => prepareChat(model, request), signal),
    generate: (model, request, signal) => complete(options, () => preparePrompt(model, request), signal),
    renderChat: async (model, request, signal) => render(await prepareChat(model, request), signal),
    renderPrompt: async (model, request, signal) => render(await preparePrompt(model, request), signal),
    async countTokens(model, request, signal) {
      const { load, source } = await prepareChat(model, request);
      return withModel(scheduler, withoutPlace(load), signal, async (loaded) =>
        loaded.countPrompt((await source.prompt(loaded, 0)).text, signal),
      );
    },
    async *load(model, request, signal) {
      const load = withoutPlace(loadFor(model, request));
      const begin = (onLoading: (fraction: number) => void) =>
        beginWithModel(scheduler, { ...load, onLoading }, signal, async () => undefined);
      const release = ({ lease }: BegunWork<undefined>) => lease.release();
      release(yield* reportLoading(begin, (fraction) => fraction, release));
    },
    unload: async (model) => scheduler.unload(model),
    capabilities: (model) => capabilitiesOf(templates, model),
  };
}
