import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { FolderPlus } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { FileEvent } from "../../../server/contract/app/file-events.ts";
import { useChangeSearch, usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { useActions } from "../../ui/keyboard/actions.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar } from "../../ui/table/filter-bar.tsx";
import { FilterCount } from "../../ui/table/filter-count.tsx";
import { FreshChip, PauseButton } from "../../ui/table/live-controls.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { Page } from "../../ui/page.tsx";
import { SplitView } from "../../ui/table/split-view.tsx";
import { tableSort } from "../../ui/table/table-sort.ts";
import { useReadingPosition } from "../../ui/table/use-reading-position.ts";
import { useLast } from "../../ui/use-last.ts";
import { FileEventInspector } from "./file-event-inspector.tsx";
import { fileEventColumns } from "./file-event-columns.tsx";
import type { FileEventsSearch } from "./file-events-search.ts";
import { FileEventsEmpty } from "./file-events-empty.tsx";
import { FolderForm } from "./folder-form.tsx";
import { FolderStrip } from "./folder-strip.tsx";
import { ProcessStrip } from "./process-strip.tsx";
import { KindFilter } from "./kind-filter.tsx";
import { useFileEvents, useStoredFileEvent } from "./use-file-events.ts";
import { useWatchedFolders } from "./use-watched-folders.ts";

const route = getRouteApi("/file-events");

/** The watched folders, and all changes that watchers reported, live. */
export function FileEventsPanel() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = usePageNavigate(route);
  const { q, ev, path, sort, event: openEvent, folder: openFolder } = search;
  const folders = useWatchedFolders();
  const { list, counts, query, loadOlder } = useFileEvents({ q, ev, path }, sort);
  const reading = useReadingPosition(list?.rows, JSON.stringify([q, ev, path, sort]), sort !== undefined);
  const columns = useMemo(() => fileEventColumns(t), [t]);
  const go = useChangeSearch<FileEventsSearch>(navigate);
  const clearFilters = () => go({ q: undefined, ev: undefined, path: undefined });
  const isFiltered = (q ?? ev ?? path) !== undefined;
  useActions([
    {
      id: "file-events.watch",
      group: t("nav.fileEvents"),
      label: t("fileEvents.watchFolder"),
      icon: FolderPlus,
      run: () => go({ folder: "new", event: undefined }),
    },
  ]);

  const held = list?.rows.find(({ id }) => String(id) === openEvent);
  const fetched = useStoredFileEvent(openEvent, held);
  const event = held ?? fetched.data;
  const title =
    openFolder !== undefined
      ? t(openFolder === "new" ? "fileEvents.watchFolder" : "fileEvents.folderTitle")
      : openEvent === undefined
        ? undefined
        : t("fileEvents.inspector", { id: openEvent });

  return (
    <Page
      title={t("fileEvents.title")}
      fill
      note={
        <FilterCount matched={list?.total} all={list?.stored} onClear={isFiltered ? clearFilters : undefined}>
          {list && t("fileEvents.stored", { count: list.total })}
        </FilterCount>
      }
      controls={
        <>
          <FilterBar label={t("fileEvents.search")} text={q} onText={(next) => go({ q: next })} />
          {sort === undefined && <PauseButton paused={reading.paused} onChange={reading.setPaused} />}
          <Button
            leftSection={<FolderPlus size={13} aria-hidden />}
            onClick={() => go({ folder: "new", event: undefined })}
          >
            {t("fileEvents.watchFolder")}
          </Button>
        </>
      }
    >
      <SplitView
        title={title}
        onClose={() => go({ event: undefined, folder: undefined, at: undefined })}
        inspector={<Inspector search={search} folders={folders} event={event} fetched={fetched} onChange={go} />}
      >
        {folders.data && folders.data.length > 0 && (
          <FolderStrip
            folders={folders.data}
            chosen={path}
            onChoose={(next) => go({ path: next })}
            onEdit={(id) => go({ folder: String(id), event: undefined })}
          />
        )}
        <ProcessStrip />
        <QueryFailure query={folders} />
        <QueryFailure query={query} />
        <KindFilter counts={counts} ev={ev} path={path} onChange={go} />
        {list?.rows.length === 0 ? (
          <FileEventsEmpty filtered={isFiltered} onShowAll={clearFilters} />
        ) : (
          <DataTable
            label={t("fileEvents.table")}
            columns={columns}
            {...reading.table}
            rowKey={(row) => String(row.id)}
            {...tableSort(sort, "-received_at", (next) => go({ sort: next }))}
            highlight={q}
            total={list?.total}
            selected={openEvent}
            onSelect={(id) => go({ event: id, folder: undefined })}
            onNearEnd={() => void loadOlder()}
          />
        )}
        <FreshChip waiting={reading.waiting} onShow={reading.backToTop} />
      </SplitView>
    </Page>
  );
}

/** The form of a watched folder, or the open event. */
function Inspector(props: {
  search: FileEventsSearch;
  folders: ReturnType<typeof useWatchedFolders>;
  event: FileEvent | null | undefined;
  fetched: ReturnType<typeof useStoredFileEvent>;
  onChange: (change: Partial<FileEventsSearch>) => void;
}) {
  const { t } = useTranslation();
  const navigate = usePageNavigate(route);
  const { search, folders, event, fetched, onChange } = props;
  const { folder: open, at } = search;
  const watched = folders.data?.find(({ id }) => String(id) === open);
  const folder = useLast(watched, open);
  /** Runs after an answer: another folder that has been opened meanwhile stays open. */
  const closeFolder = (id: string) =>
    void navigate({
      search: (before) => (before.folder === id ? { ...before, folder: undefined, at: undefined } : before),
      replace: true,
    });
  if (open !== undefined && (open === "new" || folder))
    return (
      <FolderForm
        key={`${open} ${at ?? ""}`}
        folder={folder}
        isGone={folder !== undefined && !watched}
        at={at}
        onDone={() => closeFolder(open)}
      />
    );
  if (open !== undefined) return folders.data && <Notice kind="info">{t("fileEvents.folderGone")}</Notice>;
  if (event)
    return (
      <FileEventInspector
        event={event}
        onPath={(path) => onChange({ path })}
        onOpen={(id) => onChange({ event: id })}
      />
    );
  if (fetched.data === null) return <Notice kind="info">{t("fileEvents.gone", { id: search.event ?? "" })}</Notice>;
  return <QueryFailure query={fetched} />;
}
