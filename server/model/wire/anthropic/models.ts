/** GET /v1/models and GET /v1/models/{model}, as Anthropic has them. */
import type { InstalledModel, Library } from "../../models/library/library.ts";
import { shortName } from "../../models/library/model-name.ts";
import type { Handler } from "../mount-routes.ts";
import { findModel, unknownWithTag } from "../../models/find-model.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

/** Members that the file does not have are null. */
const modelInfo = (id: string, { name, modifiedAt }: InstalledModel) => ({
  type: "model",
  id,
  display_name: shortName(name),
  created_at: modifiedAt.toISOString(),
  capabilities: null,
  lifecycle: "active",
  deprecated_at: null,
  retires_at: null,
  line: null,
  max_input_tokens: null,
  max_tokens: null,
});

/** All models are one page. */
export function anthropicModelsRoute(library: Library): Handler {
  return async (_req, res) => {
    const data = (await library.list()).map((model) => modelInfo(shortName(model.name), model));
    sendJson(res, 200, { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null });
  };
}

/** The id is echoed as it was asked for. */
export function anthropicModelRoute(library: Library): Handler {
  return async (_req, res, _signal, { model: id = "" }) => {
    sendJson(res, 200, modelInfo(id, await findModel(library, id, unknownWithTag)));
  };
}
