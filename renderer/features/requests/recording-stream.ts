/** Notifies when requests were recorded or removed; the requests themselves are fetched. */
import { recordingStateSchema, type RecordingState } from "../../../server/contract/console/traffic/requests.ts";
import { streamRecording } from "../../../server/contract/console/traffic/request-endpoints.ts";
import { keepOpen, type EventSourceLike, type OpenStream } from "../../api/events/keep-open.ts";
import type { LiveChanges } from "../../ui/table/use-append-only-list.ts";

const retryMs = 2_000;

/** The oldest ones are removed beyond the limit, which needs no restart of the list. */
const wasCleared = (before: RecordingState, after: RecordingState): boolean =>
  after.total < before.total / 2 || (after.total < before.total && after.newest_id === before.newest_id);

/** Listens until the returned function is called; the stream is reopened when it ends. */
export function listenToRecording(open: OpenStream, changes: LiveChanges<never>): () => void {
  let last: RecordingState | undefined;

  const attach = (source: EventSourceLike) =>
    source.addEventListener("requests", ({ data }) => {
      const state = recordingStateSchema.parse(JSON.parse(String(data)));
      const before = last;
      last = state;
      if (before && wasCleared(before, state)) changes.removed();
      else if (before?.newest_id !== state.newest_id) changes.changed();
    });
  return keepOpen(
    () => open(streamRecording.path),
    attach,
    () => retryMs,
  );
}
