import { useQueries } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useApi } from "../../../api/use-api.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { Badge } from "../../../ui/marks/badge.tsx";
import { suggestedModels } from "./suggestions.ts";
import { fitQuery } from "../use-models.ts";
import classes from "../models.module.css";

/** Models that fit into the memory of this machine, to choose one from; a choice downloads nothing. */
export function SuggestionList({ chosen, onChoose }: { chosen: string; onChoose: (name: string) => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { models } = useApi();
  const fits = useQueries({ queries: suggestedModels.map(({ name }) => fitQuery(models, name)) });
  const known = suggestedModels.flatMap((model, index) => {
    const fit = fits[index]?.data;
    const needed = Math.max(fit?.required ?? 0, model.gigabytes * 1e9);
    return fit && needed <= fit.available ? [{ ...model, fit }] : [];
  });
  if (known.length === 0) return null;
  return (
    <section aria-label={t("models.suggestions")}>
      <h3 className={classes.suggestionsTitle}>{t("models.suggestions")}</h3>
      <ul className={classes.suggestions}>
        {known.map(({ name, gigabytes, licence, fit }) => (
          <li key={name}>
            <button
              type="button"
              className={classes.suggestion}
              aria-pressed={name === chosen}
              onClick={() => onChoose(name)}
            >
              <span className={classes.suggestionName}>
                <strong>{name}</strong>
                {fit.warnings.length > 0 ? (
                  <Badge tone="busy" icon={TriangleAlert}>
                    {t("models.tight")}
                  </Badge>
                ) : (
                  <Badge tone="up" icon={CircleCheck}>
                    {t("models.fit.fits")}
                  </Badge>
                )}
              </span>
              <span className={classes.dim}>
                {t("models.suggestion", { size: formats.number(gigabytes, 1), licence })}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
