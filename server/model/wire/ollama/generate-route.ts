/** POST /api/generate */
import { generateRequestSchema, type GenerateChunk } from "../../../contract/model/ollama.ts";
import { OllamaError } from "../../ollama-error.ts";
import type { Handler } from "../mount-routes.ts";
import { readRequest } from "../read-request.ts";
import { checkGenerates, readCommon, readBase64Image } from "./completion-request.ts";
import { answerEmpty, type CompletionDeps } from "./empty-request.ts";
import { renderedReply, sendCompletion, type Shape } from "./send-completion.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

const shapeFor =
  (model: string): Shape =>
  ({ text, thinking, logprobs, load_progress, prompt_progress, context_cut }, ending): GenerateChunk => ({
    model,
    created_at: new Date().toISOString(),
    response: text,
    ...(thinking !== "" && { thinking }),
    done: ending !== undefined,
    ...(logprobs && { logprobs }),
    ...(load_progress !== undefined && { load_progress }),
    ...(prompt_progress && { prompt_progress }),
    ...(context_cut && { context_cut }),
    ...ending?.figures,
    ...(ending?.context && { context: [...ending.context] }),
  });

export function generateRoute({ resolve, log }: CompletionDeps): Handler {
  return async (req, res, signal) => {
    const body = await readRequest(req, { name: "GenerateRequest", schema: generateRequestSchema });
    const sent = body.model ?? "";
    if (sent === "") throw new OllamaError(404, "model '' not found");
    const shape = shapeFor(sent);
    const { options = {}, prompt = "" } = body;
    if (prompt === "") {
      await answerEmpty(res, {
        resolve,
        what: "generate",
        request: { model: sent, options },
        keepAlive: body.keep_alive,
        think: body.think,
        reportsLoad: body.progress === true && body.stream !== false,
        log,
        shape,
        signal,
      });
      return;
    }
    const isRaw = body.raw ?? false;
    const target = await resolve(sent);
    const { model, completions } = target;
    await checkGenerates(target, sent, "generate");
    const request = {
      ...readCommon(body),
      options,
      prompt,
      // An empty text counts as missing, as in the other members.
      suffix: body.suffix || undefined,
      system: body.system || undefined,
      template: body.template || undefined,
      raw: isRaw,
      context: body.context ?? [],
      images: (body.images ?? []).map(readBase64Image),
      withContext: !isRaw,
    };
    if (body._debug_render_only === true) {
      sendJson(res, 200, renderedReply(shape, await completions.renderPrompt(model, request, signal)));
      return;
    }
    await sendCompletion(res, {
      stream: body.stream !== false,
      chunks: completions.generate(model, request, signal),
      shape,
      log,
    });
  };
}
