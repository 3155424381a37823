/** HEAD and POST /api/blobs/:digest: uploads of files for new models. */
import { parseDigest, type Digest } from "../../models/library/manifest.ts";
import { DigestMismatch, type StoreWrites } from "../../models/library/store-writes.ts";
import { streamBody } from "../../../http/connection/bodies/stream-body.ts";
import { OllamaError } from "../../ollama-error.ts";
import type { Handler, Params } from "../mount-routes.ts";

function digestOf(params: Params): Digest {
  const digest = parseDigest(params["digest"] ?? "");
  if (digest === undefined) throw new OllamaError(400, "invalid digest format");
  return digest;
}

export function blobHeadRoute({ store }: StoreWrites): Handler {
  return async (_req, res, _signal, params) => {
    const digest = digestOf(params);
    if ((await store.blobSize(digest)) === undefined)
      throw new OllamaError(404, `blob ${JSON.stringify(digest)} not found`);
    res.end();
  };
}

/** Streams a body of any length to disk. The body for an existing blob is ignored. */
export function blobPostRoute(writes: StoreWrites): Handler {
  return async (req, res, _signal, params) => {
    const digest = digestOf(params);
    if ((await writes.store.blobSize(digest)) !== undefined) {
      req.resume();
      res.end();
      return;
    }
    try {
      (await writes.putBlob(streamBody(req), digest))[Symbol.dispose]();
    } catch (error) {
      if (error instanceof DigestMismatch) throw new OllamaError(400, error.message, error);
      throw error;
    }
    res.statusCode = 201;
    res.end();
  };
}
