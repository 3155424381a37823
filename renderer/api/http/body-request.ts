/** A body to send, with its progress and cancellation. */
export interface BodyRequest {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body: Blob | FormData;
  signal: AbortSignal;
  onProgress: (sentBytes: number, totalBytes: number) => void;
}

/**
 * Resolves with the reply, whatever its status.
 * @throws ConsoleError without a reply; an AbortError when cancelled.
 */
export type SendBody = (request: BodyRequest) => Promise<{ status: number; text: string }>;
