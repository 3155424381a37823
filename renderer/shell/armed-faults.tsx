import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Zap } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useApi } from "../api/use-api.ts";
import { useArmedFaults } from "../api/queries/use-armed-faults.ts";
import { useShowFailure } from "../api/actions/use-show-failure.ts";
import { useToast } from "../ui/dialogs/toast.ts";
import classes from "./armed-faults.module.css";
import { refetch } from "../ui/refetch.ts";

/** Says on every page that faults are armed, which is easily forgotten, and disarms them all. */
export function ArmedFaultsNotice() {
  const { t } = useTranslation();
  const { call } = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const showFailure = useShowFailure();
  const { route, provider, notification } = useArmedFaults();
  const count = route + provider + notification;
  const onSettled = () => refetch(queries, ["faults"]);
  const arm = useMutation({ mutationFn: (armAgain: () => Promise<unknown>) => armAgain(), onSettled });
  const disarm = useMutation({
    // Loaded on demand: the schemas of the faults are much code, and few runs have any.
    mutationFn: async () => (await import("../features/faults/fault-calls.ts")).disarmFaults(call),
    onSuccess: (armAgain) =>
      toast.undo(t("armed.disarmed", { count }), () => arm.mutate(armAgain, { onError: showFailure })),
    onError: showFailure,
    onSettled,
  });
  if (count === 0) return null;
  return (
    <div className={classes.armed} role="status">
      <Link to="/faults" className={classes.count} aria-label={t("armed.count", { count })}>
        <Zap size={12} aria-hidden />
        <span className={classes.words}>{t("armed.count", { count })}</span>
        <span className={classes.number} aria-hidden>
          {count}
        </span>
      </Link>
      <button type="button" className={classes.disarm} disabled={disarm.isPending} onClick={() => disarm.mutate()}>
        {t("armed.disarm")}
      </button>
    </div>
  );
}
