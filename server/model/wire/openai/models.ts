/** GET /v1/models and GET /v1/models/{model}, as OpenAI has them. */
import type { InstalledModel, Library } from "../../models/library/library.ts";
import { shortName } from "../../models/library/model-name.ts";
import type { Handler } from "../mount-routes.ts";
import { findModel, unknownWithTag } from "../../models/find-model.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

const modelObject = (id: string, { name, modifiedAt }: InstalledModel) => ({
  id,
  object: "model",
  created: Math.floor(modifiedAt.getTime() / 1000),
  owned_by: name.namespace,
});

export function modelsRoute(library: Library): Handler {
  return async (_req, res) => {
    const data = (await library.list()).map((model) => modelObject(shortName(model.name), model));
    sendJson(res, 200, { object: "list", data });
  };
}

/** The id may contain slashes, plain or encoded, depending on the client. It is returned as it was sent. */
export function modelRoute(library: Library): Handler {
  return async (_req, res, _signal, { model: id = "" }) => {
    sendJson(res, 200, modelObject(id, await findModel(library, id, unknownWithTag)));
  };
}
