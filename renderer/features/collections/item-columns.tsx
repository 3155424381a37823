import type { TFunction } from "i18next";
import type { CollectionItem, CollectionView } from "../../../server/contract/console/collection-endpoints.ts";
import type { Column } from "../../ui/table/data-table.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import classes from "./collections.module.css";

/** More columns would be too narrow; the inspector shows all members. */
const mostFields = 6;

/** The columns of a collection: its items' own members around those of its schema. */
export const itemColumns = (t: TFunction, collection: CollectionView): Column<CollectionItem>[] => [
  {
    key: "id",
    header: "id",
    track: "64px",
    narrowTrack: "44px",
    cell: (item) => <span className={classes.wire}>{item.id}</span>,
  },
  ...collection.fields.slice(0, mostFields).map((field, index): Column<CollectionItem> => ({
    key: `field.${field}`,
    header: field,
    track: "minmax(90px, 1fr)",
    wideOnly: index > 1,
    cell: (item) => <Value value={item.data[field]} />,
  })),
  {
    key: "owner",
    header: t("collections.owner"),
    track: "72px",
    wideOnly: true,
    cell: (item) => <span className={classes.wire}>{item.owner_uid}</span>,
  },
  {
    key: "updated",
    header: t("collections.updated"),
    track: "92px",
    align: "end",
    wideOnly: true,
    cell: (item) => <RelativeTime iso={item.updated_at} />,
  },
];

function Value({ value }: { value: unknown }) {
  if (value === undefined || value === null) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return (
    <span className={typeof value === "string" ? undefined : classes.wire} title={text}>
      {text}
    </span>
  );
}
