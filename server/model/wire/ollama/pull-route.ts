/** POST /api/pull, and POST /api/push, which is refused. */
import { transferRequestSchema } from "../../../contract/model/ollama-library.ts";
import { askerOf, type IsToken } from "../../../http/outgoing/asker.ts";
import type { Log } from "../../../process/log.ts";
import { parseSentName, shortName } from "../../models/library/model-name.ts";
import { OllamaError } from "../../ollama-error.ts";
import type { Pull } from "../../models/registry/pull-model.ts";
import type { Handler } from "../mount-routes.ts";
import { readRequest } from "../read-request.ts";
import { modelSent } from "./model-sent.ts";
import { sendProgress } from "./send-progress.ts";

/** `onPulled` is told the name of each model that has arrived. */
export function pullRoute(pull: Pull, isToken: IsToken, onPulled: (name: string) => void, log: Log): Handler {
  return async (req, res, signal) => {
    const body = await readRequest(req, { name: "PullRequest", schema: transferRequestSchema });
    const sent = modelSent(body);
    const name = parseSentName(sent);
    if (name === undefined) throw new OllamaError(400, "invalid model name");
    const scheme = /^\s*http:\/\//i.test(sent) ? "http" : "https";
    const lines = pull({ name, scheme, insecure: body.insecure === true, asker: askerOf(req, isToken) }, signal);
    const toEnd = async function* () {
      yield* lines;
      onPulled(shortName(name));
    };
    await sendProgress(res, { stream: body.stream !== false, lines: toEnd(), log });
  };
}

export const pushRoute: Handler = async (req) => {
  const body = await readRequest(req, { name: "PushRequest", schema: transferRequestSchema });
  if (modelSent(body) === "") throw new OllamaError(400, "model is required");
  throw new OllamaError(501, "/api/push is not supported by this server: it pulls models, but does not publish them");
};
