/** POST /api/chat */
import {
  chatRequestSchema,
  ollamaMessageSchema,
  type ChatChunk,
  type OllamaChatRequest,
} from "../../../contract/model/ollama.ts";
import { OllamaError } from "../../ollama-error.ts";
import type { Handler } from "../mount-routes.ts";
import { readRequest } from "../read-request.ts";
import {
  checkGenerates,
  readCommon,
  readOllamaMessage,
  readOllamaToolChoice,
  readOllamaTools,
} from "./completion-request.ts";
import { answerEmpty, type CompletionDeps } from "./empty-request.ts";
import { renderedReply, sendCompletion, wireCall, type Shape } from "./send-completion.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

const shapeFor =
  (model: string): Shape =>
  ({ text, thinking, calls, ...extras }, ending): ChatChunk => ({
    model,
    created_at: new Date().toISOString(),
    message: {
      role: "assistant",
      content: text,
      ...(thinking !== "" && { thinking }),
      ...(calls.length > 0 && { tool_calls: calls.map(wireCall) }),
    },
    done: ending !== undefined,
    ...extras,
    ...ending?.figures,
  });

/** Options that a client library puts beside `options`; a value in `options` takes precedence. */
function sentOptions({ temperature, top_p, max_output_tokens, options }: OllamaChatRequest) {
  const set = Object.entries(options ?? {}).filter(([, value]) => value !== null);
  return { temperature, top_p, num_predict: max_output_tokens, ...Object.fromEntries(set) };
}

export function chatRoute({ resolve, log }: CompletionDeps): Handler {
  const shape = {
    name: "ChatRequest",
    schema: chatRequestSchema,
    items: { messages: Object.keys(ollamaMessageSchema.shape) },
  };
  return async (req, res, signal) => {
    const body = await readRequest(req, shape);
    const sent = body.model ?? "";
    if (sent === "") throw new OllamaError(400, "model is required");
    const shaped = shapeFor(sent);
    const options = sentOptions(body);
    if ((body.messages?.length ?? 0) === 0) {
      await answerEmpty(res, {
        resolve,
        what: "chat",
        request: { model: sent, options },
        keepAlive: body.keep_alive,
        think: body.think,
        reportsLoad: body.progress === true && body.stream !== false,
        log,
        shape: shaped,
        signal,
      });
      return;
    }
    const target = await resolve(sent);
    const { model, completions } = target;
    await checkGenerates(target, sent, "chat");
    const request = {
      ...readCommon(body),
      options,
      messages: (body.messages ?? []).map(readOllamaMessage),
      tools: readOllamaTools(body.tools),
      toolChoice: readOllamaToolChoice(body.tool_choice),
      severalCalls: true,
    };
    if (body._debug_render_only === true) {
      sendJson(res, 200, renderedReply(shaped, await completions.renderChat(model, request, signal)));
      return;
    }
    await sendCompletion(res, {
      stream: body.stream !== false,
      chunks: completions.chat(model, request, signal),
      shape: shaped,
      log,
    });
  };
}
