import { NativeSelect } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { usePageNavigate } from "../../../api/address/use-page-navigate.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../../ui/dialogs/query-failure.tsx";
import { CheckForm } from "./check-form.tsx";
import { CheckReport } from "./check-report.tsx";
import { useReceiverCheck, useReceiverChecks, useStartCheck } from "./use-receiver-check.ts";
import classes from "./receiver.module.css";

const route = getRouteApi("/payments");

/** The check of a receiver of notifications: its form, its progress, and its report. */
export function ReceiverView() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { check: chosen } = route.useSearch();
  const navigate = usePageNavigate(route);
  const checks = useReceiverChecks();
  const id = chosen === undefined ? checks.data?.[0]?.id : Number(chosen);
  const check = useReceiverCheck(id);
  const show = (next: number) => void navigate({ search: (search) => ({ ...search, check: String(next) }) });
  const start = useStartCheck();
  /** After an answer: a check that has been opened by then stays. */
  const showStarted = (started: number) =>
    void navigate({
      search: (held) =>
        held.view === "receiver" && held.check === chosen ? { ...held, check: String(started) } : held,
    });
  return (
    <div className={classes.view}>
      <CheckForm
        isBusy={start.isPending || check.data?.state === "running"}
        onStart={(target) => start.mutate(target, { onSuccess: ({ id: started }) => showStarted(started) })}
      />
      <div className={classes.result}>
        {start.error && <Notice kind="error">{t("failure.withReason", { reason: start.error.message })}</Notice>}
        <QueryFailure query={check.error ? check : checks} />
        {checks.data && checks.data.length > 1 && (
          <NativeSelect
            aria-label={t("payments.check.earlier")}
            className={classes.earlier ?? ""}
            value={String(id ?? "")}
            onChange={(change) => show(Number(change.currentTarget.value))}
            data={checks.data.map((one) => ({
              value: String(one.id),
              label: `#${one.id} · ${formats.exact(one.started_at)} · ${t(`payments.check.state.${one.state}`)}`,
            }))}
          />
        )}
        {check.data ? <CheckReport check={check.data} /> : <p className={classes.text}>{t("payments.check.none")}</p>}
      </div>
    </div>
  );
}
