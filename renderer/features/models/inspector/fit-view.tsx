import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Fit } from "../../../../server/contract/model/model-fit.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { Badge } from "../../../ui/marks/badge.tsx";
import { FitBar } from "./fit-bar.tsx";
import { useFit } from "../use-models.ts";
import classes from "../models.module.css";

/** The usual memory sizes of machines. */
const gigabyte = 2 ** 30;

/** Whether a model fits into the memory, as the model service computes it, and the recommendation for it. */
export function FitView({ model, numCtx }: { model: string; numCtx?: number | undefined }) {
  const { t } = useTranslation();
  const { data: fit, error, isFetching } = useFit(model, numCtx);
  return (
    <section className={classes.fit} aria-label={t("models.fit.title")} aria-busy={isFetching}>
      {fit ? (
        <Known fit={fit} />
      ) : (
        <p className={classes.note}>
          {error
            ? t("failure.withReason", { reason: error.message })
            : t(fit === null ? "models.fit.unknown" : "models.fit.asking")}
        </p>
      )}
    </section>
  );
}

function Known({ fit }: { fit: Fit }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { required, available, weights, context, num_ctx, installed } = fit;
  const sizes = { required: formats.bytes(required), available: formats.bytes(available) };
  return (
    <>
      <div className={classes.fitHead}>
        <Badge tone={fit.fits ? "up" : "down"} icon={fit.fits ? CircleCheck : CircleX}>
          {t(fit.fits ? "models.fit.fits" : "models.fit.tooLarge")}
        </Badge>
        <span>{t(installed ? "models.fit.sum" : "models.fit.estimate", sizes)}</span>
      </div>
      <FitBar fit={fit} />
      <p className={classes.note}>
        {installed &&
          t("models.fit.parts", {
            weights: formats.bytes(weights),
            window: formats.bytes(context),
            tokens: formats.number(num_ctx),
          })}
        {installed && ". "}
        <Advice fit={fit} />
      </p>
      {fit.warnings.length > 0 && fit.guided_memory !== null && (
        <p className={classes.guided}>
          <TriangleAlert size={13} aria-hidden />
          {t("models.fit.guided", {
            guided: formats.number(fit.guided_memory / gigabyte),
            total: formats.number(fit.total / gigabyte, 1),
          })}
        </p>
      )}
    </>
  );
}

function Advice({ fit }: { fit: Fit }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { largest_num_ctx: largest, fits } = fit;
  if (largest !== null)
    return t(fits ? "models.fit.largest" : "models.fit.smaller", { tokens: formats.number(largest) });
  return fits ? null : t("models.fit.none");
}
