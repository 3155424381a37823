/** One file to send, and how its sending is watched and stopped. */
export interface UploadRequest {
  file: File;
  /** The category word that the route expects beside the file. */
  type: string;
  token: string;
  signal: AbortSignal;
  onProgress: (sentBytes: number, totalBytes: number) => void;
}
