/** POST /api/copy and DELETE /api/delete */
import { copyRequestSchema, deleteRequestSchema } from "../../../contract/model/ollama-library.ts";
import { copyModel, type CreateDeps } from "../../models/create/create-model.ts";
import { askerOf, type IsToken } from "../../../http/outgoing/asker.ts";
import { notOurs, unknownAsSent } from "../../models/find-model.ts";
import type { InstalledModel } from "../../models/library/library.ts";
import { nameKey, parseSentName } from "../../models/library/model-name.ts";
import { OllamaError } from "../../ollama-error.ts";
import { weightsKey } from "../../engine/scheduler/load-options.ts";
import type { Scheduler } from "../../engine/scheduler/scheduler.ts";
import type { Handler } from "../mount-routes.ts";
import { readRequest } from "../read-request.ts";
import { modelSent } from "./model-sent.ts";

function validName(what: string, text: string) {
  const name = parseSentName(text);
  if (name === undefined) throw new OllamaError(400, `${what} ${JSON.stringify(text)} is invalid`);
  return name;
}

export function copyRoute(deps: CreateDeps, isToken: IsToken): Handler {
  return async (req, res, signal) => {
    const { source = "", destination = "" } = await readRequest(req, {
      name: "CopyRequest",
      schema: copyRequestSchema,
    });
    const [from, to] = [validName("source", source), validName("destination", destination)];
    const model = await deps.library.find(from);
    if (model === undefined) throw new OllamaError(404, `model ${JSON.stringify(source)} not found`);
    if (nameKey(from) !== nameKey(to))
      await copyModel(deps, model, { destination: to, asker: askerOf(req, isToken) }, signal);
    res.end();
  };
}

/** Why a model that the own store has not is not deleted. */
function notHere(sent: string, model: InstalledModel | undefined): OllamaError {
  if (model === undefined) return new OllamaError(404, unknownAsSent(sent));
  if (model.remote === undefined) return notOurs(sent, model, "delete it there");
  return new OllamaError(
    403,
    `model '${sent}' is one of upstream ${model.remote.upstreams.join(", ")}: delete it there`,
  );
}

export interface DeleteDeps extends Pick<CreateDeps, "writes" | "library"> {
  readonly scheduler: Scheduler;
}

export function deleteModelRoute({ writes, library, scheduler }: DeleteDeps): Handler {
  return async (req, res) => {
    const body = await readRequest(req, { name: "DeleteRequest", schema: deleteRequestSchema });
    const sent = modelSent(body);
    if (sent === "") throw new OllamaError(400, "model is required");
    const name = validName("name", sent);
    const model = await library.find(name);
    const blobs = await writes.removeManifest(name);
    // Looked up again: the model before may have been the store's own, which another request has deleted since.
    if (blobs === undefined) throw notHere(sent, await library.find(name));
    // Before the file goes, which Windows does not remove while it is open. Another name may keep its weights loaded.
    if (model !== undefined && !(await library.list()).some((other) => weightsKey(other) === weightsKey(model)))
      scheduler.unload(model);
    await writes.prune(blobs);
    res.end();
  };
}
