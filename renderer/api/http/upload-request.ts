/** A file to send, with its progress and cancellation. */
export interface UploadRequest {
  file: File;
  /** The category word that the route expects beside the file. */
  type: string;
  token: string;
  signal: AbortSignal;
  onProgress: (sentBytes: number, totalBytes: number) => void;
}
