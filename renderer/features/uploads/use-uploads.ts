import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import { listStoredUploads } from "../../../server/contract/console/data/upload-endpoints.ts";
import type { StoredUpload } from "../../../server/contract/console/data/stored-uploads.ts";
import { useApi } from "../../api/use-api.ts";
import { useRefetchOnEvents } from "../../api/events/use-refetch-on-events.ts";
import { changesContents } from "../../api/queries/use-upload-contents.ts";
import { pageStart } from "../../ui/table/live-list.ts";
import { useService } from "../../ui/services.ts";
import { uploadQueueKey } from "./upload-queue.ts";
import type { UploadsSearch } from "./uploads-search.ts";

const pageSize = 100;
const key = ["uploads"];

/** The stored files, updated by events. `lost`: only those with lost contents. */
export function useUploads(lost: boolean, sort: UploadsSearch["sort"]) {
  const { call } = useApi();
  useRefetchOnEvents(key, (event) => event.type === "upload.stored" || changesContents(event));
  return useInfiniteQuery({
    queryKey: [...key, { lost, sort }],
    initialPageParam: undefined as number | undefined,
    refetchOnMount: "always",
    queryFn: ({ pageParam, signal }) =>
      call(listStoredUploads, {
        query: { limit: pageSize, ...pageStart(sort, pageParam), lost: lost ? "true" : undefined },
        signal,
      }),
    getNextPageParam: ({ uploads }, pages) =>
      uploads.length < pageSize ? undefined : sort === undefined ? uploads.at(-1)?.id : pages.length * pageSize,
  });
}

/** The open file, whatever the list shows. `row` is its row there, if it has one. Null: it is not stored. */
export function useStoredUpload(id: string | undefined, row: StoredUpload | undefined) {
  const { call } = useApi();
  useRefetchOnEvents(["upload"], changesContents);
  return useQuery({
    queryKey: ["upload", id],
    enabled: id !== undefined,
    initialData: row,
    queryFn: async () => {
      const { uploads } = await call(listStoredUploads, { query: { before: Number(id) + 1, limit: 1 } });
      return uploads.find((upload) => String(upload.id) === id) ?? null;
    },
  });
}

/** The files that this page is sending; they go on while another page is shown. */
export function useUploadQueue() {
  const queue = useService(uploadQueueKey);
  return { queue, tasks: useStore(queue.tasks) };
}
