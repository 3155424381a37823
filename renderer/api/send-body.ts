/** Sends one body and tells how much of it has gone. XMLHttpRequest, because fetch tells nothing about that. */
import { ConsoleError } from "./console-error.ts";

export interface BodyRequest {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body: XMLHttpRequestBodyInit;
  signal: AbortSignal;
  onProgress: (sentBytes: number, totalBytes: number) => void;
}

/** Resolves with the reply, whatever its status. @throws ConsoleError when there was none; an AbortError when cancelled. */
export function sendBody(request: BodyRequest): Promise<{ status: number; text: string }> {
  const { method, path, headers = {}, body, signal, onProgress } = request;
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(method, path);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = (event) => onProgress(event.loaded, event.total);
    xhr.onload = () => resolve({ status: xhr.status, text: xhr.responseText });
    xhr.onerror = () => reject(new ConsoleError(0, "no answer"));
    xhr.onabort = () => reject(new DOMException("cancelled", "AbortError"));
    signal.addEventListener("abort", () => xhr.abort(), { once: true });
    if (signal.aborted) reject(new DOMException("cancelled", "AbortError"));
    else xhr.send(body);
  });
}
