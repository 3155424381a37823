import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { Eraser, Plus } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { carryOut } from "../../api/actions/carry-out.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { useChangeSearch, usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { useConfirm } from "../../ui/dialogs/confirm.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar } from "../../ui/table/filter-bar.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { Page } from "../../ui/page.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { SplitView } from "../../ui/table/split-view.tsx";
import { useToast } from "../../ui/dialogs/toast.ts";
import { restOf } from "./fault-calls.ts";
import { faultColumns } from "./fault-columns.tsx";
import { FaultForm } from "./fault-form.tsx";
import { FaultInspector } from "./fault-inspector.tsx";
import { hasText, type FaultRow } from "./fault-row.ts";
import { FaultsEmpty } from "./faults-empty.tsx";
import type { FaultsSearch } from "./faults-search.ts";
import { QuestionsView } from "./questions/questions-view.tsx";
import { useFreshHits } from "./use-fresh-hits.ts";
import { useFaultChanges, useFaults } from "./use-faults.ts";
import classes from "./faults.module.css";

const route = getRouteApi("/faults");
const origins = ["payment", "identity", "route"] as const;
const firstKind = "notification_signature";

/** All faults: their hits, and how to add and remove them. */
export function FaultsPanel() {
  const { t } = useTranslation();
  const formats = useFormats();
  const confirm = useConfirm();
  const toast = useToast();
  const showFailure = useShowFailure();
  const { fault: openKey, origin, q, add: adding, order, view } = route.useSearch();
  const navigate = usePageNavigate(route);
  const faults = useFaults();
  const { data } = faults;
  const changes = useFaultChanges();
  const fresh = useFreshHits(data);
  const change = useChangeSearch<FaultsSearch>(navigate);

  /** These two come after an answer: what has been opened by then stays. */
  const closeRemoved = (some: readonly FaultRow[]) =>
    void navigate({
      search: (held) => (some.some(({ key }) => key === held.fault) ? { ...held, fault: undefined } : held),
      replace: true,
    });
  const openAdded = (key: string) =>
    void navigate({
      search: (held) => (held.add === undefined ? held : { ...held, add: undefined, order: undefined, fault: key }),
      replace: true,
      ignoreBlocker: true, // what was typed is stored
    });

  const remove = (row: FaultRow) =>
    changes.remove.mutate([row], {
      onSuccess: () => {
        closeRemoved([row]);
        const text = t("faults.removed", { kind: row.kind });
        if (row.spent) toast.success(text);
        else toast.undo(text, () => carryOut(changes.arm, restOf(row), () => undefined, showFailure));
      },
      onError: showFailure,
    });
  const disarm = (some: readonly FaultRow[]) =>
    changes.remove.mutate(some, {
      onSuccess: () => closeRemoved(some),
      onError: showFailure,
    });
  const clear = async () => {
    const title = t("faults.clear");
    if (await confirm({ title, text: t("faults.clearAsk", { count: data?.length ?? 0 }), action: title, danger: true }))
      changes.clear.mutate(undefined, { onError: showFailure });
  };
  const columns = useMemo(
    () => faultColumns({ t, formats, onRemove: (row) => remove(row) }),
    // oxlint-disable-next-line react/exhaustive-deps -- the removal uses the current state
    [t, formats],
  );
  const rows = useMemo(
    () =>
      (data ?? []).filter(
        (row) => (origin === undefined || row.origin === origin) && (q === undefined || hasText(row, q)),
      ),
    [data, origin, q],
  );
  const open = data?.find(({ key }) => key === openKey);
  // The form and the list of all faults are for those who know their kinds.
  const isAdvanced = view === "advanced" || adding !== undefined;
  const close = () => change({ fault: undefined, add: undefined, order: undefined });

  return (
    <Page
      title={t("faults.title")}
      fill
      note={
        <div className={classes.choices}>
          <Segmented
            label={t("faults.view")}
            value={isAdvanced ? "advanced" : "questions"}
            choices={(["questions", "advanced"] as const).map((value) => ({
              value,
              label: t(`faults.views.${value}`),
            }))}
            onChange={(next) =>
              change({
                view: next === "advanced" ? next : undefined,
                add: undefined,
                order: undefined,
                fault: undefined,
              })
            }
          />
          <Segmented
            label={t("faults.origin")}
            value={origin ?? "all"}
            choices={(["all", ...origins] as const).map((value) => ({ value, label: t(`faults.origins.${value}`) }))}
            onChange={(next) => change({ origin: next === "all" ? undefined : next })}
          />
        </div>
      }
      controls={
        <>
          <Button
            leftSection={<Eraser size={14} aria-hidden />}
            disabled={!data || data.length === 0}
            onClick={() => void clear()}
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
        title={adding !== undefined ? t("faults.add") : openKey === undefined ? undefined : (open?.kind ?? openKey)}
        onClose={close}
        inspector={
          adding !== undefined ? (
            <FaultForm
              kind={adding}
              order={order}
              isBusy={changes.add.isPending}
              error={changes.add.error?.message}
              onKind={(add) =>
                void navigate({ search: (held) => ({ ...held, add }), replace: true, ignoreBlocker: true })
              }
              onAdd={(fault) => changes.add.mutate(fault, { onSuccess: openAdded })}
            />
          ) : open ? (
            <FaultInspector row={open} onRemove={() => remove(open)} />
          ) : (
            data && <Notice kind="info">{t("faults.gone")}</Notice>
          )
        }
      >
        <div className={classes.filters}>
          <FilterBar
            label={t(isAdvanced ? "faults.find" : "faults.findQuestion")}
            text={q}
            onText={(text) => change({ q: text })}
          />
        </div>
        <QueryFailure query={faults} />
        {!isAdvanced ? (
          <QuestionsView
            faults={data ?? []}
            origin={origin}
            q={q}
            isBusy={changes.arm.isPending || changes.remove.isPending}
            onArm={(fault) => changes.arm.mutate(fault, { onError: showFailure })}
            onDisarm={disarm}
            onOpen={(row) => change({ fault: row.key })}
            onShowAll={() => change({ origin: undefined, q: undefined })}
          />
        ) : data && rows.length === 0 ? (
          <FaultsEmpty filtered={data.length > 0} onClear={() => change({ origin: undefined, q: undefined })} />
        ) : (
          <DataTable
            label={t("faults.table")}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.key}
            selected={adding === undefined ? openKey : undefined}
            onSelect={(key) => change({ fault: key, add: undefined })}
            fresh={fresh}
          />
        )}
      </SplitView>
    </Page>
  );
}
