import { Button } from "@mantine/core";
import { Eraser, Plus } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../i18n/formats-context.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar } from "../../ui/table/filter-bar.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { Page } from "../../ui/page.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { SplitView } from "../../ui/table/split-view.tsx";
import { faultColumns } from "./fault-columns.tsx";
import { FaultForm } from "./fault-form.tsx";
import { FaultInspector } from "./fault-inspector.tsx";
import { hasText } from "./fault-row.ts";
import { FaultsEmpty } from "./faults-empty.tsx";
import { QuestionsView } from "./questions/questions-view.tsx";
import { useFaultsPage, type FaultsPage } from "./use-faults-page.ts";
import { useFreshHits } from "./use-fresh-hits.ts";
import classes from "./faults.module.css";

const origins = ["payment", "identity", "route"] as const;
const views = ["questions", "advanced"] as const;
const firstKind = "notification_signature";

/** All faults: their hits, and how to add and remove them. */
export function FaultsPanel() {
  const { t } = useTranslation();
  const page = useFaultsPage();
  const { search, faults, open, change, isAdvanced } = page;
  const { data } = faults;
  return (
    <Page
      title={t("faults.title")}
      fill
      note={<FaultChoices page={page} />}
      controls={
        <>
          <Button
            leftSection={<Eraser size={14} aria-hidden />}
            disabled={!data || data.length === 0}
            onClick={() => void page.clear()}
          >
            {t("faults.clear")}
          </Button>
          {isAdvanced && (
            <Button
              variant="filled"
              leftSection={<Plus size={14} aria-hidden />}
              onClick={() => change({ view: "advanced", add: firstKind, fault: undefined })}
            >
              {t("faults.add")}
            </Button>
          )}
        </>
      }
    >
      <SplitView
        title={search.add === undefined ? (open?.kind ?? search.fault) : t("faults.add")}
        onClose={() => change({ fault: undefined, add: undefined, order: undefined })}
        inspector={<Inspector page={page} />}
      >
        <div className={classes.filters}>
          <FilterBar
            label={t(isAdvanced ? "faults.find" : "faults.findQuestion")}
            text={search.q}
            onText={(q) => change({ q })}
          />
        </div>
        <QueryFailure query={faults} />
        {isAdvanced ? <FaultTable page={page} /> : <Questions page={page} />}
      </SplitView>
    </Page>
  );
}

/** Chooses between questions and the table, and the origin of the faults. */
function FaultChoices({ page: { search, change, isAdvanced } }: { page: FaultsPage }) {
  const { t } = useTranslation();
  return (
    <div className={classes.choices}>
      <Segmented
        label={t("faults.view")}
        value={isAdvanced ? "advanced" : "questions"}
        choices={views.map((value) => ({ value, label: t(`faults.views.${value}`) }))}
        onChange={(view) =>
          change({
            view: view === "advanced" ? view : undefined,
            add: undefined,
            order: undefined,
            fault: undefined,
          })
        }
      />
      <Segmented
        label={t("faults.origin")}
        value={search.origin ?? "all"}
        choices={(["all", ...origins] as const).map((value) => ({ value, label: t(`faults.origins.${value}`) }))}
        onChange={(origin) => change({ origin: origin === "all" ? undefined : origin })}
      />
    </div>
  );
}

function Inspector({ page }: { page: FaultsPage }) {
  const { t } = useTranslation();
  const { search, changes, open } = page;
  if (search.add !== undefined)
    return (
      <FaultForm
        kind={search.add}
        order={search.order}
        isBusy={changes.add.isPending}
        error={changes.add.error?.message}
        onKind={page.changeKind}
        onAdd={(fault) => changes.add.mutate(fault, { onSuccess: page.openAdded })}
      />
    );
  if (open) return <FaultInspector row={open} onRemove={() => page.remove(open)} />;
  return page.faults.data && <Notice kind="info">{t("faults.gone")}</Notice>;
}

function Questions({ page }: { page: FaultsPage }) {
  const { search, changes, change } = page;
  return (
    <QuestionsView
      faults={page.faults.data ?? []}
      origin={search.origin}
      q={search.q}
      isBusy={changes.arm.isPending || changes.remove.isPending}
      onArm={page.arm}
      onDisarm={page.disarm}
      onOpen={(row) => change({ fault: row.key })}
      onShowAll={() => change({ origin: undefined, q: undefined })}
    />
  );
}

function FaultTable({ page }: { page: FaultsPage }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data } = page.faults;
  const { origin, q, add, fault } = page.search;
  const fresh = useFreshHits(data);
  const columns = useMemo(
    () =>
      faultColumns({
        t,
        formats,
        onArmAgain: (row) => page.arm(row.input, [row]),
        onRemove: (row) => page.remove(row),
      }),
    // oxlint-disable-next-line react/exhaustive-deps -- the actions use the current state
    [t, formats],
  );
  const rows = useMemo(
    () =>
      (data ?? []).filter(
        (row) => (origin === undefined || row.origin === origin) && (q === undefined || hasText(row, q)),
      ),
    [data, origin, q],
  );
  if (data && rows.length === 0)
    return <FaultsEmpty filtered={data.length > 0} onClear={() => page.change({ origin: undefined, q: undefined })} />;
  return (
    <DataTable
      label={t("faults.table")}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.key}
      selected={add === undefined ? fault : undefined}
      onSelect={(key) => page.change({ fault: key, add: undefined })}
      fresh={fresh}
    />
  );
}
