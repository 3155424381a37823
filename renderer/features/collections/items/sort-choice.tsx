import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { CollectionView } from "../../../../server/contract/console/data/collection-endpoints.ts";
import type { CollectionsSearch } from "../collections-search.ts";

/** The order of the address, unless it is by a field that orders nothing. */
export const sortOf = ({ sort_fields }: CollectionView, { sort }: CollectionsSearch): string | undefined =>
  sort !== undefined && sort_fields.includes(sort.replace(/^-/, "")) ? sort : undefined;

/** Chooses what the items of a collection are ordered by, and which way. */
export function SortChoice(props: {
  collection: CollectionView;
  sort: string | undefined;
  onChange: (sort: string | undefined) => void;
}) {
  const { t } = useTranslation();
  const choices = props.collection.sort_fields.flatMap((field) => [
    { value: field, label: `${field} ↑` },
    { value: `-${field}`, label: `${field} ↓` },
  ]);
  return (
    <NativeSelect
      aria-label={t("collections.sort")}
      value={props.sort ?? "-id"}
      data={choices}
      onChange={(change) => props.onChange(change.currentTarget.value)}
    />
  );
}
