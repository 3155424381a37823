import { Link } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import type { CollectionItem, CollectionView } from "../../../../server/contract/console/data/collection-endpoints.ts";
import type { Column } from "../../../ui/table/table-columns.ts";
import { RowTime } from "../../../ui/marks/row-time.tsx";
import { CellInput } from "./cell-input.tsx";
import type { CellEditing } from "./use-cell-editing.ts";
import classes from "../collections.module.css";
import { ownValue } from "../../../ui/forms/own-value.ts";

/** More columns would be too narrow; the inspector shows all members. */
const mostFields = 6;
export const columnFields = ({ fields }: CollectionView): readonly string[] => fields.slice(0, mostFields);

/** The columns of a collection: its items' own members around those of its schema. */
export const itemColumns = (
  t: TFunction,
  collection: CollectionView,
  editing: CellEditing,
): Column<CollectionItem>[] => [
  {
    key: "id",
    sortable: collection.sort_fields.includes("id"),
    header: "id",
    track: "48px",
    narrowTrack: "44px",
    cell: (item) => <span className={classes.wire}>{item.id}</span>,
  },
  ...columnFields(collection).map((field, index): Column<CollectionItem> => ({
    key: field,
    sortable: collection.sort_fields.includes(field),
    header: field,
    // The first is mostly a name.
    track: index === 0 ? "minmax(120px, 2fr)" : "minmax(72px, 1fr)",
    wideOnly: index > 1,
    cell: (item) => <Cell item={item} field={field} collection={collection} editing={editing} />,
  })),
  {
    key: ".owner",
    header: t("collections.owner"),
    track: "60px",
    wideOnly: true,
    cell: (item) => <span className={classes.wire}>{item.owner_uid}</span>,
  },
  {
    key: "updated_at",
    sortable: collection.sort_fields.includes("updated_at"),
    header: t("collections.updated"),
    track: "96px",
    align: "end",
    wideOnly: true,
    cell: (item) => <RowTime iso={item.updated_at} />,
  },
];

/** A value: a click on one of the selected row edits it. */
function Cell(props: { item: CollectionItem; field: string; collection: CollectionView; editing: CellEditing }) {
  const { item, field, collection, editing } = props;
  const value = ownValue(item.data, field);
  const to = collection.relations.find((one) => one.field === field)?.to;
  const edited = editing.at?.id === item.id && editing.at.field === field ? editing.fieldOf(field) : undefined;
  if (edited)
    return (
      <CellInput
        field={edited}
        value={value}
        onDone={(next, step) => editing.finish(item, field, next, step)}
        onCancel={editing.stop}
      />
    );
  if (to !== undefined && (typeof value === "number" || typeof value === "string"))
    return (
      <Link
        to="/collections"
        search={{ collection: to, item: String(value) }}
        className={classes.refer}
        onClick={(event) => event.stopPropagation()}
      >
        {`${to}/${value}`}
      </Link>
    );
  const isEditable = editing.selected === String(item.id) && editing.fieldOf(field) !== undefined;
  return (
    <span
      className={classes.value}
      data-editable={isEditable}
      onClick={(event) => {
        if (!isEditable) return;
        event.stopPropagation();
        editing.begin(item.id, field);
      }}
    >
      <Value value={value} />
    </span>
  );
}

function Value({ value }: { value: unknown }) {
  if (value === undefined || value === null) return " ";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return (
    <span className={typeof value === "string" ? undefined : classes.wire} title={text}>
      {text}
    </span>
  );
}
