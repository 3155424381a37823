import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  checkSchema,
  getSchema,
  removeCollection,
  saveSchema,
  type SchemaText,
} from "../../../../server/contract/console/data/schema-endpoints.ts";
import { useApi } from "../../../api/use-api.ts";
import { createCollection, type NewCollection } from "./create-collection.ts";
import { refetch } from "../../../ui/refetch.ts";

const key = "collections";
const textKey = (name: string) => [key, "schema", name];

/** The text of a collection's schema file. */
export function useSchemaText(name: string) {
  const { call } = useApi();
  return useQuery({
    queryKey: textKey(name),
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(getSchema, { params: { name }, signal }),
  });
}

/** The effect of a schema on the stored items; not requested if the schema is absent. */
export function useSchemaCheck(name: string, text: string | undefined) {
  const { call } = useApi();
  return useQuery({
    queryKey: [key, "schema-check", name, text],
    enabled: text !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(checkSchema, { params: { name }, body: { text: text ?? "" }, signal }),
  });
}

/** Makes, changes, fills and removes collections. */
export function useSchemaChanges() {
  const { call } = useApi();
  const queries = useQueryClient();
  const onSettled = () => refetch(queries, [key]);
  return {
    create: useMutation({
      mutationFn: (collection: NewCollection) => createCollection(call, collection),
      onSettled,
    }),
    save: useMutation({
      mutationFn: ({ name, text, keep }: { name: string; text: string; keep: boolean }) =>
        call(saveSchema, { params: { name }, body: { text, keep_misfits: keep } }),
      // Who comes back before it is fetched again would be shown what it was before.
      onSuccess: (_, { name, text }) =>
        void queries.setQueryData<SchemaText>(textKey(name), (now) => now && { ...now, text }),
      // Not waited for: until then what was saved would count as unsaved.
      onSettled: () => void onSettled(),
    }),
    remove: useMutation({
      mutationFn: (name: string) => call(removeCollection, { params: { name } }),
      onSettled,
    }),
  };
}
