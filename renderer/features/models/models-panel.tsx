import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { Download, FilePlus2 } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { ServedModel } from "../../../server/contract/model/model-client.ts";
import { isSameModel } from "../../api/queries/model-name.ts";
import { useInstalledModels } from "../../api/queries/use-installed-models.ts";
import { useChangeSearch, usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { useActions } from "../../ui/keyboard/actions.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar } from "../../ui/table/filter-bar.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { Page } from "../../ui/page.tsx";
import { SplitView } from "../../ui/table/split-view.tsx";
import { GpuNotice } from "./gpu/gpu-notice.tsx";
import { JobList } from "./jobs/job-list.tsx";
import { LoadedStrip } from "./loaded-strip.tsx";
import { modelColumns } from "./model-columns.tsx";
import { ModelInspector } from "./inspector/model-inspector.tsx";
import { ModelsEmpty } from "./models-empty.tsx";
import type { ModelsSearch } from "./models-search.ts";
import { NewModel } from "./new-model/new-model.tsx";
import { PullForm } from "./new-model/pull-form.tsx";
import { useLoadedModels } from "./use-models.ts";

const route = getRouteApi("/models");
const nothingOpen = { model: undefined, view: undefined, from: undefined };

/** The models of this machine: installed and loaded ones, running jobs, and forms for new ones. */
export function ModelsPanel() {
  const { t } = useTranslation();
  const formats = useFormats();
  const search = route.useSearch();
  const navigate = usePageNavigate(route);
  const installed = useInstalledModels();
  const loaded = useLoadedModels();
  const columns = useMemo(() => modelColumns(t), [t]);
  const all = useMemo(
    () =>
      installed.data?.map((model) => ({ model, loaded: loaded.data?.find(({ name }) => name === model.name) })) ?? [],
    [installed.data, loaded.data],
  );
  const rows = useMemo(() => all.filter(({ model }) => fitsFilter(model, search.q)), [all, search.q]);
  const go = useChangeSearch<ModelsSearch>(navigate);
  const open = (model: string | undefined) => go({ ...nothingOpen, model });
  const pull = () => go({ ...nothingOpen, view: "pull" });
  const create = (from?: string) => go({ ...nothingOpen, view: "create", from });
  const createFromFile = () => go({ ...nothingOpen, view: "file" });
  const names = all.map(({ model }) => model.name);
  const close = () => go(nothingOpen);
  /** By then something else may have been opened, which stays. */
  const closeRemoved = (name: string) =>
    void navigate({
      search: (before) =>
        before.view || !isSameModel(name, before.model ?? "") ? before : { ...before, ...nothingOpen },
      replace: true,
    });
  const group = t("nav.models");
  useActions([
    { id: "models.pull", group, label: t("models.pull"), icon: Download, run: pull },
    { id: "models.create", group, label: t("models.create"), icon: FilePlus2, run: () => create() },
    { id: "models.file", group, label: t("models.createFromFile"), icon: FilePlus2, run: createFromFile },
  ]);

  const row = findModel(all, search.model);
  const titles = { pull: t("models.pull"), create: t("models.createTitle"), file: t("models.createTitle") };
  return (
    <Page
      title={t("models.title")}
      fill
      note={
        installed.data &&
        t("models.installed", {
          count: installed.data.length,
          size: formats.bytes(installed.data.reduce((sum, { size }) => sum + size, 0)),
        })
      }
      controls={
        <>
          <FilterBar label={t("models.search")} text={search.q} onText={(q) => go({ q })} />
          <Button leftSection={<FilePlus2 size={13} aria-hidden />} onClick={() => create()}>
            {t("models.create")}
          </Button>
          <Button leftSection={<Download size={13} aria-hidden />} onClick={pull}>
            {t("models.pull")}
          </Button>
        </>
      }
    >
      <SplitView
        title={search.view ? titles[search.view] : (row?.model.name ?? search.model)}
        onClose={close}
        inspector={
          search.view === "pull" ? (
            <PullForm key={search.model} name={search.model} installed={names} onDone={close} />
          ) : search.view ? (
            <NewModel
              way={search.view}
              from={search.from}
              installed={names}
              onWay={(view) => go({ view })}
              onDone={close}
            />
          ) : row ? (
            <ModelInspector
              key={row.model.name}
              row={row}
              installed={names}
              onOpen={open}
              onRemoved={() => closeRemoved(row.model.name)}
              onCreate={() => create(row.model.name)}
            />
          ) : (
            installed.data && <Notice kind="info">{t("models.gone", { name: search.model ?? "" })}</Notice>
          )
        }
      >
        {installed.error && (
          <Notice kind="error">{t("models.serviceDown", { reason: installed.error.message })}</Notice>
        )}
        <GpuNotice />
        {!installed.error && <QueryFailure query={loaded} />}
        <LoadedStrip models={loaded.data ?? []} onOpen={open} />
        <JobList onOpen={(name) => open(findModel(all, name)?.model.name ?? name)} />
        {installed.data && rows.length === 0 ? (
          <ModelsEmpty
            filtered={all.length > 0}
            onShowAll={() => go({ q: undefined })}
            onPull={pull}
            onFile={createFromFile}
          />
        ) : (
          <DataTable
            label={t("models.table")}
            columns={columns}
            rows={rows}
            rowKey={({ model }) => model.name}
            selected={search.view ? undefined : row?.model.name}
            onSelect={open}
          />
        )}
      </SplitView>
    </Page>
  );
}

const findModel = <Row extends { model: ServedModel }>(rows: readonly Row[], name = "") =>
  rows.find(({ model }) => isSameModel(model.name, name));

function fitsFilter({ name, details }: ServedModel, q: string | undefined): boolean {
  const text = [name, details.family, details.quantization_level, details.parameter_size].join(" ").toLowerCase();
  return q === undefined || text.includes(q.toLowerCase());
}
