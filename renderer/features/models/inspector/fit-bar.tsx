import { useTranslation } from "react-i18next";
import type { Fit } from "../../../../server/contract/model/model-fit.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import classes from "../models.module.css";

/** Weights, context and what stays free, as parts of the available memory; an excess fills the bar. */
export function FitBar({ fit }: { fit: Fit }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { weights, context, required, available } = fit;
  const total = Math.max(required, available, 1);
  const width = (bytes: number) => ({ width: `${(bytes / total) * 100}%` });
  const percent = Math.min(100, Math.round((required / Math.max(1, available)) * 100));
  const parts = t("models.fit.partsAndFree", {
    weights: formats.bytes(weights),
    window: formats.bytes(context),
    free: formats.bytes(Math.max(0, available - required)),
  });
  return (
    <div
      className={classes.fitBar}
      role="meter"
      aria-label={t("models.fit.bar")}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={parts}
      title={parts}
      data-fits={required <= available}
    >
      <span data-part="weights" style={width(weights)} />
      <span data-part="context" style={width(context)} />
      <span className={classes.limit} style={{ insetInlineStart: `${(available / total) * 100}%` }} />
    </div>
  );
}
