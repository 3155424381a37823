import {
  receiverCheckProgressSchema,
  type ReceiverCheck,
  type ReceiverCheckProgress,
  type ReceiverCheckRequest,
} from "../../contract/provider/checks/receiver-checks.ts";
import { parseJson } from "../../contract/parse-json.ts";
import { bodyChunks, readLines } from "../../contract/read-lines.ts";
import { SettingsError } from "../../process/settings/read-settings.ts";
import { RunError } from "../../supervisor/run-error.ts";

interface Options {
  /** Base URL of the simulator. */
  readonly provider: string;
  readonly request: ReceiverCheckRequest;
  readonly onEvent: (progress: ReceiverCheckProgress) => void;
  /** Closes the connection, whereupon the simulator cancels the check. */
  readonly signal: AbortSignal;
}

/**
 * Lets the simulator check a receiver, and prints the results row by row.
 * @returns the complete report. @throws SettingsError for invalid input, RunError when there is no simulator
 */
export async function followCheck({ provider, request, onEvent, signal }: Options): Promise<ReceiverCheck> {
  const response = await post(provider, request, signal);
  let report: ReceiverCheck | undefined;
  const ended = () => {
    signal.throwIfAborted();
    throw new RunError(`the simulator at ${provider} stopped during the check`);
  };
  for await (const line of readLines(bodyChunks(response.body ?? new ReadableStream<Uint8Array>(), ended))) {
    const { data: progress } = receiverCheckProgressSchema.safeParse(parseJson(line));
    if (!progress) throw new RunError(`the server at ${provider} is not a simulator`);
    onEvent(progress);
    if (progress.type === "ended") report = progress.check;
  }
  return report ?? ended();
}

async function post(provider: string, request: ReceiverCheckRequest, signal: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`${provider.replace(/\/$/, "")}/sim/receiver-checks`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/x-ndjson" },
      body: JSON.stringify(request),
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new RunError(`no simulator responds at ${provider}: ${(error as Error).message}`);
  }
  if (response.ok) return response;
  const { Message: message = `HTTP ${String(response.status)}` } = (await response.json().catch(() => ({}))) as {
    Message?: string;
  };
  if (response.status === 400) throw new SettingsError(message);
  throw new RunError(`the simulator at ${provider} refused: ${message}`);
}
