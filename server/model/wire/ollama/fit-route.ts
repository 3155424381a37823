/** POST /api/fit: our own. The console calls it before a pull and before a load. */
import { fitRequestSchema } from "../../../contract/model/model-fit.ts";
import { fitOfModel, type FitDeps } from "../../engine/fit.ts";
import { OllamaError } from "../../ollama-error.ts";
import type { Handler } from "../mount-routes.ts";
import { readRequest } from "../read-request.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

export function fitRoute(deps: FitDeps): Handler {
  return async (req, res, signal) => {
    const { model, num_ctx, options } = await readRequest(req, { name: "FitRequest", schema: fitRequestSchema });
    if (!model) throw new OllamaError(400, "model is required");
    sendJson(
      res,
      200,
      await fitOfModel(deps, model, { options: { ...options, ...(num_ctx !== undefined && { num_ctx }) }, signal }),
    );
  };
}
