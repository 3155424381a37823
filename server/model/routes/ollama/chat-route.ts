/** POST /api/chat */
import { chatRequestSchema, ollamaMessageSchema, type ChatChunk, type ChatRequest } from "../../../contract/ollama.ts";
import { complete, preload, type CompletionWish } from "../../complete.ts";
import { capabilitiesOf } from "../../library/gguf-details.ts";
import type { InstalledModel } from "../../library/library.ts";
import { OllamaError } from "../../ollama-error.ts";
import { parseKeepAlive } from "../../options/go-duration.ts";
import { resolveOptions } from "../../options/model-options.ts";
import { chatMessages, droppable, neededCapability, withoutOldest } from "../../prompt/chat-messages.ts";
import type { Handler } from "../mount-routes.ts";
import { readRequest } from "../read-request.ts";
import { checkCommon, lacks } from "./completion-request.ts";
import { findModel, unknownAsSent } from "./find-model.ts";
import type { CompletionDeps } from "./generate-route.ts";
import { sendCompletion, type Shape } from "./send-completion.ts";

const shapeFor =
  (model: string): Shape =>
  (content, ending): ChatChunk => ({
    model,
    created_at: new Date().toISOString(),
    message: { role: "assistant", content },
    done: ending !== undefined,
    ...ending?.figures,
  });

function checkRequest(body: ChatRequest, sent: string, model: InstalledModel): void {
  if ((body.tools?.length ?? 0) > 0) throw lacks(model, "tools");
  checkCommon(body, sent);
  const needed = neededCapability(body.messages ?? []);
  if (needed !== undefined) throw lacks(model, needed);
}

/** Options that a client library puts beside `options`; they count where `options` has none. */
const besideOptions = ({ temperature, top_p, max_output_tokens: num_predict }: ChatRequest) => ({
  temperature,
  top_p,
  num_predict,
});

export function chatRoute({ library, scheduler, templates, log }: CompletionDeps): Handler {
  const shape = {
    name: "ChatRequest",
    schema: chatRequestSchema,
    items: { messages: Object.keys(ollamaMessageSchema.shape) },
  };
  return async (req, res, signal) => {
    const body = await readRequest(req, shape);
    const sent = body.model ?? "";
    if (sent === "") throw new OllamaError(400, "model is required");
    const model = await findModel(library, sent, unknownAsSent);
    if (!capabilitiesOf(model.header).includes("completion"))
      throw new OllamaError(400, `${JSON.stringify(sent)} does not support chat`);
    const keepAliveMs = parseKeepAlive(body.keep_alive);
    const shaped = shapeFor(sent);
    const isEmpty = (body.messages?.length ?? 0) === 0;
    if (isEmpty && keepAliveMs === 0) {
      scheduler.unload(model);
      res.json(shaped("", { figures: { done_reason: "unload" } }));
      return;
    }
    if (!isEmpty) checkRequest(body, sent, model);
    const options = resolveOptions(model.parameters, besideOptions(body), body.options);
    if (isEmpty) {
      await preload(scheduler, { model, options, keepAliveMs }, signal);
      res.json(shaped("", { figures: { done_reason: "load" } }));
      return;
    }
    const messages = chatMessages(body.messages ?? []);
    const shift = body.shift ?? true;
    const mayTruncate = body.truncate !== false;
    const wish: CompletionWish = {
      model,
      options,
      keepAliveMs,
      prompt: (loaded, dropped) => templates.render(sent, model.header, withoutOldest(messages, dropped), loaded),
      droppable: mayTruncate ? droppable(messages) : 0,
      prefix: [],
      mayCut: mayTruncate && shift,
      shift,
      withContext: false,
    };
    await sendCompletion(res, {
      stream: body.stream !== false,
      chunks: complete(scheduler, wish, signal),
      shape: shaped,
      log,
    });
  };
}
