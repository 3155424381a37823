import { useQuery } from "@tanstack/react-query";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import { getUploadContents } from "../../../server/contract/console/data/stored-uploads.ts";
import { isReset } from "../events/resets.ts";
import { useApi } from "../use-api.ts";
import { useRefetchOnEvents } from "../events/use-refetch-on-events.ts";

const key = ["upload-contents"];
/** The progress of a check has no events. */
const checkMs = 500;

const changing = ["upload.lost", "upload.recovered", "uploads.checked"];

/** Whether an event reports that a content was lost or has returned. */
export const changesContents = (event: CloudEvent): boolean => changing.includes(event.type) || isReset(event);

/** The state of the uploads' contents, kept current by events. `checking`: this page has requested a check. */
export function useUploadContents(checking = false) {
  const { call } = useApi();
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(getUploadContents, { signal }),
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (checking || state.data?.check ? checkMs : false),
  });
  // If nothing is lost, an upload cannot restore anything.
  const mayReturn = (query.data?.lost ?? 0) > 0;
  useRefetchOnEvents(key, (event) => changesContents(event) || (mayReturn && event.type === "upload.stored"));
  return query;
}
