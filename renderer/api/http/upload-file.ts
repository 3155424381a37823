/** Sends a file through the same route as client apps. */
import { createUpload, uploadResultSchema } from "../../../server/contract/app/uploads.ts";
import { parseJson } from "../../../server/contract/parse-json.ts";
import type { SendBody } from "./body-request.ts";
import { ConsoleError, messageOf } from "./console-error.ts";
import type { UploadRequest } from "./upload-request.ts";

/**
 * `app`: the origin of the application server. Resolves with the id of the stored file.
 * @throws ConsoleError with the server's message; an AbortError when cancelled.
 */
export const createUploadFile =
  (sendBody: SendBody, app: string) =>
  async ({ file, type, token, signal, onProgress }: UploadRequest): Promise<number> => {
    const body = new FormData();
    body.append("type", type);
    body.append("[]", file, file.name);
    const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
    const { method, path: route } = createUpload;
    const path = app + route;
    const { status, text } = await sendBody({ method, path, headers, body, signal, onProgress });
    const result = uploadResultSchema.safeParse(parseJson(text));
    if (result.success && result.data.success && result.data.id !== undefined) return result.data.id;
    throw new ConsoleError(status, messageOf(text, `HTTP ${status}`));
  };
