import { getRouteApi } from "@tanstack/react-router";
import { FileCheck } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../i18n/formats-context.tsx";
import { useUploadContents } from "../../api/queries/use-upload-contents.ts";
import { useChangeSearch, usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { nextPageOf } from "../../ui/table/next-page-of.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { Page } from "../../ui/page.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { SplitView } from "../../ui/table/split-view.tsx";
import { tableSort } from "../../ui/table/table-sort.ts";
import { CategoryField } from "./category-field.tsx";
import { LostContents } from "./lost-contents.tsx";
import { UploadDrop } from "./upload-drop.tsx";
import { RejectedUploads } from "./rejected-uploads.tsx";
import { uploadColumns } from "./upload-columns.tsx";
import { UploadGallery } from "./upload-gallery.tsx";
import { UploadInspector } from "./upload-inspector.tsx";
import { UploadTasks } from "./upload-tasks.tsx";
import { UploadsEmpty } from "./uploads-empty.tsx";
import type { UploadsSearch } from "./uploads-search.ts";
import { useStoredUpload, useUploadQueue, useUploads } from "./use-uploads.ts";

const route = getRouteApi("/uploads");

/** Sends files by the real route, and lists the stored ones; the open one is in the address. */
export function UploadsPanel() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { upload: openId, view, sort } = route.useSearch();
  const navigate = usePageNavigate(route);
  const change = useChangeSearch<UploadsSearch>(navigate);
  const [category, setCategory] = useState("project");
  const uploads = useUploads(view === "lost", sort);
  const { data: contents } = useUploadContents();
  const { queue, tasks } = useUploadQueue();
  const rows = useMemo(() => uploads.data?.pages.flatMap((page) => page.uploads) ?? [], [uploads.data]);
  const total = uploads.data?.pages[0]?.total;
  const columns = useMemo(() => uploadColumns(t, formats), [t, formats]);
  const held = rows.find((upload) => String(upload.id) === openId);
  const fetched = useStoredUpload(openId, held);
  const open = held ?? fetched.data;
  const select = (upload: string | undefined) => change({ upload });
  const loadMore = nextPageOf(uploads);

  return (
    <Page
      title={t("uploads.title")}
      fill
      note={total === undefined ? "" : t("uploads.stored", { count: total })}
      controls={
        <>
          <Segmented
            label={t("uploads.view")}
            value={view ?? "table"}
            choices={[
              { value: "table", label: t("uploads.viewTable") },
              { value: "gallery", label: t("uploads.viewGallery") },
              { value: "rejected", label: t("uploads.viewRejected") },
              ...(view === "lost" || contents?.lost ? [{ value: "lost" as const, label: t("uploads.viewLost") }] : []),
            ]}
            onChange={(next) => void navigate({ search: next === "table" ? {} : { view: next }, replace: true })}
          />
          <CategoryField value={category} onChange={setCategory} />
        </>
      }
    >
      <SplitView
        title={openId === undefined ? undefined : (open?.file_name ?? t("uploads.inspector", { id: openId }))}
        onClose={() => select(undefined)}
        inspector={
          open ? (
            <UploadInspector upload={open} />
          ) : fetched.data === null ? (
            <Notice kind="info">{t("uploads.gone", { id: openId ?? "" })}</Notice>
          ) : (
            <QueryFailure query={fetched} />
          )
        }
      >
        <UploadDrop onFiles={(files) => queue.add(files, category)} />
        <UploadTasks tasks={tasks} queue={queue} />
        <LostContents />
        {view !== "rejected" && <QueryFailure query={uploads} />}
        {view === "rejected" ? (
          <RejectedUploads />
        ) : uploads.data && rows.length === 0 ? (
          view === "lost" ? (
            <NoneLost />
          ) : (
            <UploadsEmpty />
          )
        ) : view === "gallery" ? (
          <UploadGallery uploads={rows} selected={openId} onSelect={select} onNearEnd={loadMore} />
        ) : (
          <DataTable
            label={t("uploads.table")}
            columns={columns}
            rows={rows}
            rowKey={(upload) => String(upload.id)}
            {...tableSort(sort, "-created_at", (next) => change({ sort: next }))}
            total={total}
            selected={openId}
            onSelect={select}
            onNearEnd={loadMore}
          />
        )}
      </SplitView>
    </Page>
  );
}

function NoneLost() {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<FileCheck size={26} strokeWidth={1.5} aria-hidden />}
      title={t("uploads.noneLost")}
      text={t("uploads.noneLostText")}
    />
  );
}
