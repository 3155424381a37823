import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { carryOut } from "../../api/actions/carry-out.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { useChangeSearch, usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { useConfirm } from "../../ui/dialogs/confirm.tsx";
import { useToast } from "../../ui/dialogs/toast.ts";
import { restOf, type NewFault } from "./fault-calls.ts";
import type { FaultRow } from "./fault-row.ts";
import type { FaultsSearch } from "./faults-search.ts";
import { useFaultChanges, useFaults } from "./use-faults.ts";

const route = getRouteApi("/faults");

export type FaultsPage = ReturnType<typeof useFaultsPage>;

/** The faults, the open one, and the actions of the page. */
export function useFaultsPage() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const toast = useToast();
  const onError = useShowFailure();
  const search = route.useSearch();
  const navigate = usePageNavigate(route);
  const change = useChangeSearch<FaultsSearch>(navigate);
  const faults = useFaults();
  const changes = useFaultChanges();

  /** Runs after an answer: another fault that has been opened meanwhile stays open. */
  const closeRemoved = (removed: readonly FaultRow[]) =>
    void navigate({
      search: (before) => (removed.some(({ key }) => key === before.fault) ? { ...before, fault: undefined } : before),
      replace: true,
    });
  const remove = (row: FaultRow) =>
    changes.remove.mutate([row], {
      onSuccess: () => {
        closeRemoved([row]);
        const text = t("faults.removed", { kind: row.kind });
        if (row.spent) toast.success(text);
        else toast.undo(text, () => carryOut(changes.arm, restOf(row), () => undefined, onError));
      },
      onError,
    });
  const clear = async () => {
    const title = t("faults.clear");
    const text = t("faults.clearAsk", { count: faults.data?.length ?? 0 });
    if (await confirm({ title, text, action: title, danger: true })) changes.clear.mutate(undefined, { onError });
  };

  return {
    search,
    change,
    faults,
    changes,
    open: faults.data?.find(({ key }) => key === search.fault),
    /** The form and the table are for users who know the kinds of faults. */
    isAdvanced: search.view === "advanced" || search.add !== undefined,
    remove,
    clear,
    /** @param spent faults that it replaces */
    arm: (fault: NewFault, spent: readonly FaultRow[]) => {
      const arm = () => changes.arm.mutate(fault, { onError });
      if (spent.length === 0) arm();
      else changes.remove.mutate(spent, { onSuccess: arm, onError });
    },
    disarm: (rows: readonly FaultRow[]) =>
      changes.remove.mutate(rows, { onSuccess: () => closeRemoved(rows), onError }),
    changeKind: (add: string) =>
      void navigate({ search: (before) => ({ ...before, add }), replace: true, ignoreBlocker: true }),
    /** Opens an added fault, unless the form has been closed meanwhile. */
    openAdded: (key: string) =>
      void navigate({
        search: (before) =>
          before.add === undefined ? before : { ...before, add: undefined, order: undefined, fault: key },
        replace: true,
        ignoreBlocker: true, // the typed values are stored
      }),
  };
}
