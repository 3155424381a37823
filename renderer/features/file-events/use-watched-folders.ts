import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  createWatchedFolder,
  deleteWatchedFolder,
  listWatchedFolders,
  matchExcludePatterns,
  updateWatchedFolder,
  type FolderChange,
  type NewFolder,
  type WatchedFolder,
} from "../../../server/contract/console/data/watched-folders.ts";
import { listWatchProcesses } from "../../../server/contract/console/data/watch-processes.ts";
import { useApi } from "../../api/use-api.ts";
import { useRefetchOnEvents } from "../../api/events/use-refetch-on-events.ts";
import { refetch } from "../../ui/refetch.ts";

const key = ["watched-folders"];
/** Counts change without an event, often while a folder starts, and while what was seen is being delivered. */
const pollMs = { busy: 2_000, idle: 30_000 };
const isBusy = ({ state, waiting }: WatchedFolder) => state === "starting" || waiting > 0;

/** The watched folders with their counts, polled while the page is visible. */
export function useWatchedFolders() {
  const { call } = useApi();
  useRefetchOnEvents(key, ({ type }) => /^(file|watch)\.changed$/.test(type));
  return useQuery({
    queryKey: key,
    refetchOnMount: "always",
    refetchInterval: ({ state: { data } }: { state: { data?: readonly WatchedFolder[] | undefined } }) =>
      data?.some(isBusy) ? pollMs.busy : pollMs.idle,
    queryFn: async ({ signal }) => (await call(listWatchedFolders, { signal })).folders,
  });
}

/** The running `hearth watch` processes, polled while the page is visible: they start and end without an event. */
export function useWatchProcesses() {
  const { call } = useApi();
  return useQuery({
    queryKey: ["watch-processes"],
    refetchOnMount: "always",
    refetchInterval: pollMs.busy,
    queryFn: async ({ signal }) => (await call(listWatchProcesses, { signal })).processes,
  });
}

/** Actions on the list of folders; each refetches it. */
export function useFolderChanges() {
  const { call } = useApi();
  const queries = useQueryClient();
  // Not waited for: until then what was saved would count as unsaved.
  const onSettled = () => void refetch(queries, key);
  return {
    add: useMutation({
      mutationFn: (folder: NewFolder) => call(createWatchedFolder, { body: folder }),
      onSettled,
    }),
    change: useMutation({
      mutationFn: ({ id, ...body }: FolderChange & { id: number }) =>
        call(updateWatchedFolder, { params: { id }, body }),
      onSettled,
    }),
    remove: useMutation({
      mutationFn: (id: number) => call(deleteWatchedFolder, { params: { id } }),
      onSettled,
    }),
  };
}

/** The paths of the folder or the sample that the patterns would exclude; refetched after edits. */
export function usePatternMatches(path: string, exclude: string[], sample: string[]) {
  const { call } = useApi();
  return useQuery({
    queryKey: ["pattern-matches", path, exclude, sample],
    enabled: path !== "" || sample.length > 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(matchExcludePatterns, {
        body: { exclude, ...(path !== "" && { path }), ...(sample.length > 0 && { sample }) },
        signal,
      }),
  });
}
