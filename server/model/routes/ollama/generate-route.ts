/** POST /api/generate */
import { generateRequestSchema, type GenerateChunk, type GenerateRequest } from "../../../contract/ollama.ts";
import type { Log } from "../../../process/log.ts";
import { complete, preload, type CompletionWish } from "../../complete.ts";
import { capabilitiesOf } from "../../library/gguf-details.ts";
import type { InstalledModel, Library } from "../../library/library.ts";
import { OllamaError } from "../../ollama-error.ts";
import { parseKeepAlive } from "../../options/go-duration.ts";
import { resolveOptions } from "../../options/model-options.ts";
import { templateTextOf, type ChatTemplates } from "../../prompt/chat-template.ts";
import type { ChatMessage } from "../../prompt/chat-messages.ts";
import type { Scheduler } from "../../scheduler/scheduler.ts";
import type { Handler } from "../mount-routes.ts";
import { readRequest } from "../read-request.ts";
import { checkCommon, lacks, notYet } from "./completion-request.ts";
import { findModel, unknownAsSent } from "./find-model.ts";
import { sendCompletion, type Shape } from "./send-completion.ts";

export interface CompletionDeps {
  readonly library: Library;
  readonly scheduler: Scheduler;
  readonly templates: ChatTemplates;
  readonly log: Log;
}

const shapeFor =
  (model: string): Shape =>
  (response, ending): GenerateChunk => ({
    model,
    created_at: new Date().toISOString(),
    response,
    done: ending !== undefined,
    ...ending?.figures,
    ...(ending?.context && { context: [...ending.context] }),
  });

function checkRequest(body: GenerateRequest, sent: string, model: InstalledModel): void {
  const isRaw = body.raw === true;
  if (isRaw && (body.template || body.system || (body.context?.length ?? 0) > 0))
    throw new OllamaError(400, "raw mode does not support template, system, or context");
  checkCommon(body, sent);
  if (body.suffix) throw lacks(model, "insert");
  if ((body.images?.length ?? 0) > 0) throw lacks(model, "vision");
  if (body.template) throw notYet("template");
  if (body.system && templateTextOf(model.header) === undefined)
    throw new OllamaError(400, `"${sent}" has no chat template, so it cannot take a system message`);
}

/** The finished text for the model: as it is in raw mode and for a model without a template, else as a chat of one turn. */
function promptMaker(body: GenerateRequest, model: InstalledModel, templates: ChatTemplates): CompletionWish["prompt"] {
  const text = body.prompt ?? "";
  if (body.raw === true || templateTextOf(model.header) === undefined) return () => text;
  const messages: ChatMessage[] = [{ role: "user", content: text }];
  if (body.system) messages.unshift({ role: "system", content: body.system });
  return (loaded) => templates.render(body.model ?? "", model.header, messages, loaded);
}

export function generateRoute({ library, scheduler, templates, log }: CompletionDeps): Handler {
  return async (req, res, signal) => {
    const body = await readRequest(req, { name: "GenerateRequest", schema: generateRequestSchema });
    const sent = body.model ?? "";
    if (sent === "") throw new OllamaError(404, "model '' not found");
    const model = await findModel(library, sent, unknownAsSent);
    if (!capabilitiesOf(model.header).includes("completion"))
      throw new OllamaError(400, `${JSON.stringify(sent)} does not support generate`);
    const keepAliveMs = parseKeepAlive(body.keep_alive);
    const shape = shapeFor(sent);
    const isEmpty = (body.prompt ?? "") === "";
    if (isEmpty && keepAliveMs === 0) {
      scheduler.unload(model);
      res.json(shape("", { figures: { done_reason: "unload" } }));
      return;
    }
    if (!isEmpty) checkRequest(body, sent, model);
    const options = resolveOptions(model.parameters, body.options);
    if (isEmpty) {
      await preload(scheduler, { model, options, keepAliveMs }, signal);
      res.json(shape("", { figures: { done_reason: "load" } }));
      return;
    }
    const shift = body.shift ?? true;
    const wish: CompletionWish = {
      model,
      options,
      keepAliveMs,
      prompt: promptMaker(body, model, templates),
      droppable: 0,
      prefix: body.context ?? [],
      mayCut: shift && body.truncate !== false,
      shift,
      withContext: body.raw !== true,
    };
    await sendCompletion(res, {
      stream: body.stream !== false,
      chunks: complete(scheduler, wish, signal),
      shape,
      log,
    });
  };
}
