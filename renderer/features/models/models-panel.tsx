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
import { FilterCount } from "../../ui/table/filter-count.tsx";
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
const closed = { model: undefined, view: undefined, from: undefined };

/** The models of this machine: installed and loaded ones, running jobs, and forms for new ones. */
export function ModelsPanel() {
  const { t } = useTranslation();
  const formats = useFormats();
  const page = useModelsPage();
  const { search, installed, loaded, all, row, go } = page;
  const columns = useMemo(() => modelColumns(t), [t]);
  const rows = useMemo(() => all.filter(({ model }) => matches(model, search.q)), [all, search.q]);
  const titles = { pull: t("models.pull"), create: t("models.createTitle"), file: t("models.createTitle") };
  return (
    <Page
      title={t("models.title")}
      fill
      note={
        <FilterCount
          matched={rows.length}
          all={all.length}
          onClear={search.q === undefined ? undefined : () => go({ q: undefined })}
        >
          {installed.data &&
            t("models.installed", {
              count: installed.data.length,
              size: formats.bytes(installed.data.reduce((sum, { size }) => sum + size, 0)),
            })}
        </FilterCount>
      }
      controls={
        <>
          <FilterBar label={t("models.search")} text={search.q} onText={(q) => go({ q })} />
          <Button leftSection={<FilePlus2 size={13} aria-hidden />} onClick={() => page.create()}>
            {t("models.create")}
          </Button>
          <Button leftSection={<Download size={13} aria-hidden />} onClick={page.pull}>
            {t("models.pull")}
          </Button>
        </>
      }
    >
      <SplitView
        title={search.view ? titles[search.view] : (row?.model.name ?? search.model)}
        onClose={page.close}
        inspector={<Inspector page={page} />}
      >
        {installed.error && (
          <Notice kind="error">{t("models.serviceDown", { reason: installed.error.message })}</Notice>
        )}
        <GpuNotice />
        {!installed.error && <QueryFailure query={loaded} />}
        <LoadedStrip models={loaded.data ?? []} onOpen={page.open} />
        <JobList onOpen={(name) => page.open(findModel(all, name)?.model.name ?? name)} />
        {installed.data && rows.length === 0 ? (
          <ModelsEmpty
            filtered={all.length > 0}
            onShowAll={() => go({ q: undefined })}
            onPull={page.pull}
            onFile={page.createFromFile}
          />
        ) : (
          <DataTable
            label={t("models.table")}
            columns={columns}
            rows={rows}
            highlight={search.q}
            rowKey={({ model }) => model.name}
            selected={search.view ? undefined : row?.model.name}
            onSelect={page.open}
          />
        )}
      </SplitView>
    </Page>
  );
}

/** A form for a new model, or the open model. */
function Inspector({ page }: { page: ReturnType<typeof useModelsPage> }) {
  const { t } = useTranslation();
  const { search, installed, all, row, go, close } = page;
  const names = all.map(({ model }) => model.name);
  if (search.view === "pull")
    return <PullForm key={search.model} name={search.model} installed={names} onDone={close} />;
  if (search.view)
    return (
      <NewModel way={search.view} from={search.from} installed={names} onWay={(view) => go({ view })} onDone={close} />
    );
  if (!row) return installed.data && <Notice kind="info">{t("models.gone", { name: search.model ?? "" })}</Notice>;
  return (
    <ModelInspector
      key={row.model.name}
      row={row}
      installed={names}
      onOpen={page.open}
      onRemoved={() => page.closeRemoved(row.model.name)}
      onCreate={() => page.create(row.model.name)}
    />
  );
}

/** The installed models, the open one, and the actions of the page. */
function useModelsPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = usePageNavigate(route);
  const installed = useInstalledModels();
  const loaded = useLoadedModels();
  const all = useMemo(
    () =>
      installed.data?.map((model) => ({ model, loaded: loaded.data?.find(({ name }) => name === model.name) })) ?? [],
    [installed.data, loaded.data],
  );
  const go = useChangeSearch<ModelsSearch>(navigate);
  const pull = () => go({ ...closed, view: "pull" });
  const create = (from?: string) => go({ ...closed, view: "create", from });
  const createFromFile = () => go({ ...closed, view: "file" });
  const group = t("nav.models");
  useActions([
    { id: "models.pull", group, label: t("models.pull"), icon: Download, run: pull },
    { id: "models.create", group, label: t("models.create"), icon: FilePlus2, run: () => create() },
    { id: "models.file", group, label: t("models.createFromFile"), icon: FilePlus2, run: createFromFile },
  ]);
  return {
    search,
    installed,
    loaded,
    all,
    row: findModel(all, search.model),
    go,
    open: (model: string | undefined) => go({ ...closed, model }),
    close: () => go(closed),
    pull,
    create,
    createFromFile,
    /** Runs after an answer: another model that has been opened meanwhile stays open. */
    closeRemoved: (name: string) =>
      void navigate({
        search: (before) => (before.view || !isSameModel(name, before.model ?? "") ? before : { ...before, ...closed }),
        replace: true,
      }),
  };
}

const findModel = <Row extends { model: ServedModel }>(rows: readonly Row[], name = "") =>
  rows.find(({ model }) => isSameModel(model.name, name));

function matches({ name, details }: ServedModel, q: string | undefined): boolean {
  const text = [name, details.family, details.quantization_level, details.parameter_size].join(" ").toLowerCase();
  return q === undefined || text.includes(q.toLowerCase());
}
