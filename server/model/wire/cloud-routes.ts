/** Routes for Ollama's cloud and for sound. Hearth has neither, and they say so. */
import { hostname } from "node:os";
import type { Log } from "../../process/log.ts";
import { OllamaError } from "../ollama-error.ts";
import type { SigningKey } from "../models/registry/signing-key.ts";
import type { Handler, ModelRouteTable } from "./mount-routes.ts";
import { withOpenAiErrors } from "./openai/openai-errors.ts";
import { sendJson } from "../../http/conventions/send-json.ts";

/**
 * Nobody is signed in here. The address gives an account the key that signs pulls, which grants access to the private
 * models of that account.
 */
const signedOut =
  (key: SigningKey): Handler =>
  async (_req, res) => {
    // An unusable key is reported by a pull, which needs it.
    const line = await key.publicKey().catch(() => undefined);
    const address = new URL("https://ollama.com/connect");
    address.searchParams.set("name", hostname());
    address.searchParams.set("key", Buffer.from(line ?? "").toString("base64url"));
    sendJson(res, 401, { error: "unauthorized", ...(line !== undefined && { signin_url: address.href }) });
  };
const done: Handler = (_req, res) => void res.end();

const unavailable =
  (what: string): Handler =>
  () => {
    throw new OllamaError(403, `ollama cloud is disabled: ${what} is unavailable`);
  };

const noSound: Handler = () => {
  throw new OllamaError(400, "audio transcription is not supported by this server: its engine takes text only");
};

export const cloudRoutes = ({ key, log }: { key: SigningKey; log: Log }): ModelRouteTable => ({
  "/api/me": { POST: signedOut(key) },
  "/api/signout": { POST: done },
  "/api/user/keys/{encodedKey}": { DELETE: done },
  "/api/experimental/web_search": { POST: unavailable("web search") },
  "/api/experimental/web_fetch": { POST: unavailable("web fetch") },
  "/api/experimental/model-recommendations": { GET: (_req, res) => sendJson(res, 200, { recommendations: [] }) },
  "/v1/audio/transcriptions": { POST: withOpenAiErrors(log, noSound) },
});
