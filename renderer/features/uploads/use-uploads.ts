import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useContext, useSyncExternalStore } from "react";
import { listStoredUploads } from "../../../server/contract/console/console-endpoints.ts";
import { useApi } from "../../api/api-context.ts";
import { useRefetchOnEvents } from "../../api/use-refetch-on-events.ts";
import { changesContents } from "../../api/use-upload-contents.ts";
import { UploadQueueContext } from "./upload-queue-context.ts";

const pageSize = 100;
const key = ["uploads"];

/** What is stored, newest first, kept current by the event stream. `lost`: only that whose content is lost. */
export function useUploads(lost: boolean) {
  const { call } = useApi();
  useRefetchOnEvents(key, (event) => event.type === "upload.stored" || changesContents(event));
  return useInfiniteQuery({
    queryKey: [...key, { lost }],
    initialPageParam: undefined as string | undefined,
    refetchOnMount: "always",
    queryFn: ({ pageParam, signal }) =>
      call(listStoredUploads, {
        query: { limit: pageSize, before: pageParam, lost: lost ? "true" : undefined },
        signal,
      }),
    getNextPageParam: ({ uploads }) => (uploads.length < pageSize ? undefined : String(uploads.at(-1)?.id)),
  });
}

/** A stored file by its id, for an address that names one which is not held. Null: it is not stored. */
export function useStoredUpload(id: string | undefined) {
  const { call } = useApi();
  useRefetchOnEvents(["upload"], changesContents);
  return useQuery({
    queryKey: ["upload", id],
    enabled: id !== undefined,
    queryFn: async () => {
      const { uploads } = await call(listStoredUploads, { query: { before: Number(id) + 1, limit: 1 } });
      return uploads.find((upload) => String(upload.id) === id) ?? null;
    },
  });
}

/** The files that this page is sending; they go on while another page is shown. */
export function useUploadQueue() {
  const queue = useContext(UploadQueueContext);
  if (!queue) throw new Error("no UploadQueueContext above this component");
  return { queue, tasks: useSyncExternalStore(queue.subscribe, queue.tasks) };
}
