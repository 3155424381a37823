/** Routes for what Ollama does with its cloud and with sound: here there is neither, and they say so. */
import { OllamaError } from "../ollama-error.ts";
import type { Log } from "../../process/log.ts";
import type { Handler, RouteTable } from "./mount-routes.ts";
import { withOpenAiErrors } from "./openai/openai-errors.ts";

const signedOut: Handler = (_req, res) => void res.status(401).json({ error: "unauthorized" });
const done: Handler = (_req, res) => void res.status(200).end();

const unavailable =
  (what: string): Handler =>
  () => {
    throw new OllamaError(403, `ollama cloud is disabled: ${what} is unavailable`);
  };

const noSound: Handler = () => {
  throw new OllamaError(400, "audio transcription is not supported by this server: its engine takes text only");
};

export const cloudRoutes = (log: Log): RouteTable => ({
  "/api/me": { POST: signedOut },
  "/api/signout": { POST: done },
  "/api/user/keys/:encodedKey": { DELETE: done },
  "/api/experimental/web_search": { POST: unavailable("web search") },
  "/api/experimental/web_fetch": { POST: unavailable("web fetch") },
  "/api/experimental/model-recommendations": { GET: (_req, res) => void res.json({ recommendations: [] }) },
  "/v1/audio/transcriptions": { POST: withOpenAiErrors(log, noSound) },
});
