import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ItemId } from "../../../server/contract/app/item-ids.ts";
import type { CollectionView } from "../../../server/contract/console/data/collection-endpoints.ts";
import { sortParts } from "../../../server/contract/sort.ts";
import { useChangeSearch, usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { useActions } from "../../ui/keyboard/actions.ts";
import { useShortcut } from "../../ui/keyboard/shortcuts.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar } from "../../ui/table/filter-bar.tsx";
import { FilterCount } from "../../ui/table/filter-count.tsx";
import { nextPageOf } from "../../ui/table/next-page-of.ts";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { Page } from "../../ui/page.tsx";
import { SplitView } from "../../ui/table/split-view.tsx";
import { tableSort } from "../../ui/table/table-sort.ts";
import { useLast } from "../../ui/use-last.ts";
import { CollectionList } from "./collection-list.tsx";
import { CollectionsEmpty } from "./collections-empty.tsx";
import type { CollectionsSearch } from "./collections-search.ts";
import { DataMenu } from "./data-menu.tsx";
import { columnFields, itemColumns } from "./items/item-columns.tsx";
import { ItemEditor } from "./items/item-editor.tsx";
import { NewCollectionForm } from "./schema/new-collection.tsx";
import { SchemaEditor } from "./schema/schema-editor.tsx";
import { StorageView } from "./storage-view.tsx";
import { useCellEditing } from "./items/use-cell-editing.ts";
import { useCollections, useCollectionsSync, useItem, useItems, useUndo } from "./use-collections.ts";
import classes from "./collections.module.css";

const route = getRouteApi("/collections");

/** The items of all collections as editable tables, for all owners; and the server's storage. */
export function CollectionsPanel() {
  const { t } = useTranslation();
  const page = useCollectionsPage();
  const { search, query, collection, go, choose } = page;
  const { data: collections, isFetching } = query;
  const [isMaking, setMaking] = useState(false);
  const create = () => setMaking(true);
  const openStorage = () => go({ view: "storage", item: undefined });
  const undo = useUndo();
  const group = t("nav.collections");
  useShortcut("u", t("collections.undo"), () => undo());
  useActions([
    { id: "collections.new", group, label: t("collections.newCollection"), run: create },
    { id: "collections.undo", group, label: t("collections.undo"), keys: "u", run: () => undo() },
    { id: "collections.storage", group, label: t("collections.storage"), run: openStorage },
  ]);
  return (
    <Page
      title={t("collections.title")}
      fill
      note={
        search.q === undefined ? undefined : (
          <FilterCount
            matched={page.items.data?.pages[0]?.total}
            all={collection?.items}
            onClear={() => go({ q: undefined })}
          />
        )
      }
      controls={
        <>
          {collection?.searchable === true && (
            <FilterBar label={t("collections.search")} text={search.q} onText={(q) => go({ q })} />
          )}
          <DataMenu onStorage={openStorage} onUndo={() => undo()} />
          <Button
            leftSection={<Plus size={13} aria-hidden />}
            disabled={!collection}
            onClick={() => go({ view: "new", item: undefined })}
          >
            {t("collections.new")}
          </Button>
        </>
      }
    >
      <QueryFailure query={query} />
      {collections && (
        <CollectionList
          collections={collections}
          chosen={collection?.name}
          onChoose={choose}
          onNew={create}
          onSchema={collection?.built_in === false ? () => go({ view: "schema", item: undefined }) : undefined}
        />
      )}
      <NewCollectionForm
        opened={isMaking}
        onClose={() => setMaking(false)}
        onMade={(name) => {
          setMaking(false);
          choose(name);
        }}
      />
      {!isFetching && collections && !collection && search.collection !== undefined && (
        <Notice kind="info">{t("collections.gone", { name: search.collection })}</Notice>
      )}
      {collections && collection && (
        <Items
          key={collection.name}
          collection={collection}
          gone={collections.includes(collection) ? undefined : t("collections.gone", collection)}
          all={collections}
          search={search}
          items={page.items}
          onGo={go}
          onLeave={(from, next) => page.leave(collection.name, from, next)}
          onSaved={() => page.closeSchema(collection.name)}
          onRemoved={() => page.closeSchema(collection.name, { collection: undefined })}
        />
      )}
    </Page>
  );
}

/** The collections, the open one, and navigation within the page. */
function useCollectionsPage() {
  const search = route.useSearch();
  const navigate = usePageNavigate(route);
  useCollectionsSync();
  const query = useCollections();
  const named = query.data?.find(({ name }) => name === search.collection);
  const last = useLast(named, search.collection);
  // An open item or schema stays with its collection; otherwise a deleted collection gives way to the first one.
  const isOpen =
    search.collection !== undefined && (search.item !== undefined || search.view === "schema" || search.view === "new");
  const collection = isOpen ? last : (named ?? query.data?.[0]);
  const sort = collection && sortOf(collection, search);
  return {
    search,
    query,
    collection,
    items: useItems(collection?.name, { q: search.q, sort }),
    go: useChangeSearch<CollectionsSearch>(navigate),
    choose: (name: string) => void navigate({ search: { collection: name }, replace: true }),
    /** Leaves an item after an answer: another item that has been opened meanwhile stays open. */
    leave: (collection: string, from: Pick<CollectionsSearch, "item" | "view">, next: ItemId | undefined) =>
      void navigate({
        search: (before) =>
          before.item === from.item && before.view === from.view && (before.collection ?? collection) === collection
            ? { ...before, view: undefined, item: next === undefined ? undefined : String(next) }
            : before,
        replace: true,
      }),
    /** Closes a schema after an answer, likewise. */
    closeSchema: (name: string, change: Partial<CollectionsSearch> = {}) =>
      void navigate({
        search: (before) =>
          before.view === "schema" && (before.collection ?? name) === name
            ? { ...before, view: undefined, ...change }
            : before,
        replace: true,
      }),
  };
}

function Items(props: {
  collection: CollectionView;
  /** The message if the collection has been deleted. */
  gone: string | undefined;
  all: readonly CollectionView[];
  search: CollectionsSearch;
  items: ReturnType<typeof useItems>;
  onGo: (change: Partial<CollectionsSearch>) => void;
  /** Leaves an open item, or the form of a new one, for another item. */
  onLeave: (from: Pick<CollectionsSearch, "item" | "view">, next: ItemId | undefined) => void;
  onSaved: () => void;
  onRemoved: () => void;
}) {
  const { t } = useTranslation();
  const { collection, search, items, onGo } = props;
  const rows = useMemo(() => items.data?.pages.flatMap((page) => page.items) ?? [], [items.data]);
  const total = items.data?.pages.at(-1)?.total;
  const id = search.item;
  const fields = columnFields(collection);
  const editing = useCellEditing(collection, fields, id);
  const columns = itemColumns(t, collection, editing);
  const row = rows.find((one) => String(one.id) === id);
  // Cached rows may be older than the open item until they have been fetched again.
  const held = items.isFetching ? undefined : row;
  const fetched = useItem(collection.name, id, held);
  const open = useLast(held ?? fetched.data ?? row, id);
  return (
    <SplitView
      title={titleOf(t, collection.name, search)}
      onClose={() => onGo({ item: undefined, view: undefined })}
      inspector={
        search.view === "storage" ? (
          <StorageView records={props.all.reduce((sum, one) => sum + one.items, 0)} />
        ) : search.view === "schema" ? (
          <SchemaEditor name={collection.name} onDone={props.onSaved} onRemoved={props.onRemoved} />
        ) : search.view === "new" ? (
          <ItemEditor
            key="new"
            collection={collection}
            item={undefined}
            gone={props.gone}
            onDone={(next) => props.onLeave({ view: "new" }, next)}
          />
        ) : open ? (
          <ItemEditor
            key={open.id}
            collection={collection}
            item={open}
            gone={props.gone ?? (row ? undefined : fetched.error?.message)}
            onDone={(next) => props.onLeave({ item: String(open.id) }, next)}
          />
        ) : (
          <QueryFailure query={fetched} />
        )
      }
    >
      <QueryFailure query={items} />
      {items.isSuccess && rows.length === 0 ? (
        <CollectionsEmpty
          collection={collection}
          filtered={search.q !== undefined}
          onShowAll={() => onGo({ q: undefined })}
        />
      ) : (
        <div
          className={classes.table}
          onKeyDown={(event) => {
            if (event.key === "F2" && row && editing.beginAt(row.id)) event.preventDefault();
          }}
        >
          <DataTable
            label={t("collections.table", { name: collection.name })}
            columns={columns}
            rows={rows}
            rowKey={(row) => String(row.id)}
            {...tableSort(sortOf(collection, search), "-id", (next) => onGo({ sort: next }))}
            highlight={search.q}
            total={total}
            selected={search.item}
            edited={editing.at && String(editing.at.id)}
            onSelect={(item) => onGo({ item, view: undefined })}
            onNearEnd={nextPageOf(items)}
          />
        </div>
      )}
    </SplitView>
  );
}

/** The order of the address, unless it is by a field that orders nothing. */
const sortOf = ({ sort_fields }: CollectionView, { sort }: CollectionsSearch): string | undefined =>
  sort !== undefined && sort_fields.includes(sortParts(sort).name) ? sort : undefined;

function titleOf(t: TFunction, name: string, { view, item }: CollectionsSearch): string | undefined {
  if (view === "storage") return t("collections.storage");
  if (view === "schema") return t("collections.schemaOf", { name });
  if (view === "new") return t("collections.newIn", { name });
  return item === undefined ? undefined : `${name}/${item}`;
}
