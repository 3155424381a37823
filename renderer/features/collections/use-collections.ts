import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { ItemId } from "../../../server/contract/app/item-ids.ts";
import {
  createItem,
  deleteItem,
  getItem,
  listCollections,
  listItems,
  replaceItem,
  undoItemChange,
  type CollectionItem,
} from "../../../server/contract/console/data/collection-endpoints.ts";
import { exportData, mergeData, replaceData } from "../../../server/contract/console/data/data-endpoints.ts";
import { refetch } from "../../ui/refetch.ts";
import { useApi } from "../../api/use-api.ts";
import { useRefetchOnEvents } from "../../api/events/use-refetch-on-events.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { useToast } from "../../ui/dialogs/toast.ts";

const key = "collections";
const itemKey = (name: string, id: string | undefined) => [key, "item", name, id];
const pageSize = 200;
/** Limits refetching during bursts of changes. */
const refetchMs = 500;
/** Events that change a collection, its schema or all of them. */
const changing = /^(resource|collection|data|state|fixture)\./;

/** Keeps the page's collections current while it is open. */
export const useCollectionsSync = (): void => useRefetchOnEvents([key], ({ type }) => changing.test(type), refetchMs);

export function useCollections() {
  const { call } = useApi();
  return useQuery({
    queryKey: [key, "list"],
    refetchOnMount: "always",
    queryFn: async ({ signal }) => (await call(listCollections, { signal })).collections,
  });
}

/** The matching items of a collection, page by page. */
export function useItems(name: string | undefined, filter: { q: string | undefined; sort: string | undefined }) {
  const { call } = useApi();
  return useInfiniteQuery({
    queryKey: [key, "items", name, filter],
    enabled: name !== undefined,
    refetchOnMount: "always",
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      call(listItems, {
        params: { name: name ?? "" },
        query: { ...filter, page: pageParam, page_size: pageSize },
        signal,
      }),
    getNextPageParam: ({ total }, pages) => (pages.length * pageSize < total ? pages.length + 1 : undefined),
  });
}

/** The open item, whatever the table shows of its collection. `row` is its row there, if it has one by now. */
export function useItem(name: string, id: string | undefined, row?: CollectionItem) {
  const { call } = useApi();
  return useQuery({
    queryKey: itemKey(name, id),
    enabled: id !== undefined,
    initialData: row,
    queryFn: ({ signal }) => call(getItem, { params: { name, id: id ?? "" }, signal }),
  });
}

/** Items to choose from, found by a text. */
export function useChoices(name: string, text: string) {
  const { call } = useApi();
  return useQuery({
    queryKey: [key, "choices", name, text],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { sort: "id", page_size: 50, ...(text !== "" && { q: text }) };
      return (await call(listItems, { params: { name }, query, signal })).items;
    },
  });
}

/** Actions on the items of a collection. Each offers to be undone. */
export function useItemChanges(name: string) {
  const { call } = useApi();
  const { t } = useTranslation();
  const toast = useToast();
  const queries = useQueryClient();
  const undo = useUndo();
  const done = (id: ItemId, what: "added" | "saved" | "removed") => {
    toast.undo(t(`collections.${what}`, { name: `${name}/${id}` }), () => undo({ collection: name, id }));
    // Not waited for: until then what was saved would count as unsaved.
    void refetch(queries, [key]);
  };
  type Data = CollectionItem["data"];
  return {
    add: useMutation({
      mutationFn: (data: Data) => call(createItem, { params: { name }, body: { data } }),
      onSuccess: ({ id }) => done(id, "added"),
    }),
    save: useMutation({
      mutationFn: ({ before: { id, version, updated_at }, data }: { before: CollectionItem; data: Data }) =>
        call(replaceItem, { params: { name, id: String(id) }, body: { version, updated_at, data } }),
      onSuccess: (item) => {
        // Who leaves it before it is fetched again, and comes back, would be shown what it was before.
        queries.setQueryData<CollectionItem>(itemKey(name, String(item.id)), item);
        done(item.id, "saved");
      },
    }),
    remove: useMutation({
      mutationFn: (id: ItemId) => call(deleteItem, { params: { name, id: String(id) } }),
      onSuccess: (_, id) => done(id, "removed"),
    }),
  };
}

/** Undoes the last change of an item, or of any. */
export function useUndo(): (item?: { collection: string; id: ItemId }) => void {
  const { call } = useApi();
  const { t } = useTranslation();
  const toast = useToast();
  const showFailure = useShowFailure();
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (item?: { collection: string; id: ItemId }) => call(undoItemChange, { body: item ? { item } : {} }),
    onSuccess: ({ collection, id }) => {
      toast.success(t("collections.undone", { name: `${collection}/${id}` }));
      return refetch(queries, [key]);
    },
    onError: showFailure,
  });
  return mutate;
}

/** Exports all data as one document, and imports one, replacing or merging. */
export function useDataTransfer() {
  const { call } = useApi();
  const queries = useQueryClient();
  return {
    exported: () => call(exportData),
    importing: useMutation({
      mutationFn: ({ document, replace }: { document: unknown; replace: boolean }) =>
        call(replace ? replaceData : mergeData, { body: document as never }),
      onSuccess: () => refetch(queries, [key]),
    }),
  };
}
