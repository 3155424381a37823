/** Sends one file by the route that client apps use. XMLHttpRequest, because fetch tells nothing about the sending's progress. */
import { createUpload, uploadResultSchema } from "../../server/contract/uploads.ts";
import { ConsoleError, messageOf } from "./console-error.ts";
import type { UploadRequest } from "./upload-request.ts";

/** Resolves with the id of the stored file. @throws ConsoleError with the server's own sentence; an AbortError when cancelled. */
export function uploadFile({ file, type, token, signal, onProgress }: UploadRequest): Promise<number> {
  const form = new FormData();
  form.append("type", type);
  form.append("[]", file, file.name);
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(createUpload.method, createUpload.path);
    xhr.setRequestHeader("Authorization", `Bearer ${token}`);
    xhr.setRequestHeader("Accept", "application/json");
    xhr.upload.onprogress = (event) => onProgress(event.loaded, event.total);
    xhr.onload = () => settle(xhr, resolve, reject);
    xhr.onerror = () => reject(new ConsoleError(0, "no answer"));
    xhr.onabort = () => reject(new DOMException("cancelled", "AbortError"));
    signal.addEventListener("abort", () => xhr.abort(), { once: true });
    if (signal.aborted) reject(new DOMException("cancelled", "AbortError"));
    else xhr.send(form);
  });
}

function settle(xhr: XMLHttpRequest, resolve: (id: number) => void, reject: (error: Error) => void): void {
  const result = uploadResultSchema.safeParse(parseJson(xhr.responseText));
  if (result.success && result.data.success && result.data.id !== undefined) resolve(result.data.id);
  else reject(new ConsoleError(xhr.status, messageOf(xhr.responseText, `HTTP ${xhr.status}`)));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
