import { Link } from "@tanstack/react-router";
import { Zap } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useShowFailure } from "../../api/use-show-failure.ts";
import { useToast } from "../../ui/dialogs/toast.ts";
import { useArmedFaults, useFaultChanges } from "./use-faults.ts";
import classes from "./armed-faults.module.css";

/** Says on every page that faults are armed, which is easily forgotten, and disarms them all. */
export function ArmedFaults() {
  const { t } = useTranslation();
  const armed = useArmedFaults();
  const { clear, add } = useFaultChanges();
  const toast = useToast();
  const showFailure = useShowFailure();
  const count = armed.length;
  if (count === 0) return null;
  const disarm = () =>
    clear.mutate(undefined, {
      onSuccess: () =>
        toast.undo(t("armed.disarmed", { count }), () => armed.forEach(({ input }) => add.mutate(input))),
      onError: showFailure,
    });
  return (
    <div className={classes.armed} role="status">
      <Link to="/faults" className={classes.count} aria-label={t("armed.count", { count })}>
        <Zap size={12} aria-hidden />
        <span className={classes.words}>{t("armed.count", { count })}</span>
        <span className={classes.number} aria-hidden>
          {count}
        </span>
      </Link>
      <button type="button" className={classes.disarm} disabled={clear.isPending} onClick={disarm}>
        {t("armed.disarm")}
      </button>
    </div>
  );
}
