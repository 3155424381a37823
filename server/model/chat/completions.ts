/** Answers chats, prompts and texts of every family of routes by the engine here. */
import type { ChatRequest, Completions, ModelRequest, PromptRequest } from "../chat-completion.ts";
import type { LoadOptions } from "../engine/scheduler/load-options.ts";
import type { InstalledModel } from "../models/library/installed-model.ts";
import { templateOfRequest } from "../models/library/template-of-request.ts";
import { OllamaError } from "../ollama-error.ts";
import { resolveOptions, type RawOptions } from "../options/model-options.ts";
import { chatPrompts } from "./chat.ts";
import { complete, type CompleteDeps } from "./complete.ts";
import type { Completion } from "./completion.ts";
import { generatePrompts } from "./generate.ts";
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
}

export function createCompletions(options: CompletionsOptions): Completions {
  const { scheduler, templates, defaults, isOpen } = options;
  const loadFor = (model: InstalledModel, { options: own, keepAliveMs }: ModelRequest): LoadOptions => ({
    model,
    options: resolveOptions(defaults, model.parameters, own),
    keepAliveMs,
  });

  async function checkGenerates(model: InstalledModel, sent: string, what: "chat" | "generate"): Promise<void> {
    if (!(await capabilitiesOf(templates, model)).includes("completion"))
      throw new OllamaError(400, `${JSON.stringify(sent)} does not support ${what}`);
  }

  const templateFor = (model: InstalledModel, request: ChatRequest | PromptRequest) =>
    model.rules === undefined ? chatTemplateOf(templates, request.model, model) : rulesTemplate(request);

  async function prepareChat(model: InstalledModel, request: ChatRequest): Promise<Completion> {
    await checkGenerates(model, request.model, "chat");
    const template = await templateFor(model, request);
    if (template === undefined)
      throw new OllamaError(
        400,
        `"${request.model}" does not support chat: this server cannot run its Go template, and its file has no other; use /api/generate`,
      );
    // Invalid options are reported only after missing abilities.
    return { request, source: chatPrompts(request, template, model, isOpen), load: loadFor(model, request) };
  }

  async function preparePrompt(model: InstalledModel, request: PromptRequest): Promise<Completion> {
    await checkGenerates(model, request.model, "generate");
    const isOwn = request.template && model.rules === undefined;
    const template = isOwn
      ? await templates.compile(request.model, templateOfRequest(request.template))
      : await templateFor(model, request);
    // Rules see the request itself, in every mode.
    const asked = model.rules === undefined ? request : { ...request, raw: false, template: undefined };
    return { request, source: generatePrompts(asked, template, model, isOpen), load: loadFor(model, request) };
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
