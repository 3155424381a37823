import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useApi } from "../../api/use-api.ts";
import { modelsKey } from "../../api/queries/use-installed-models.ts";
import { useOverview } from "../../api/queries/use-overview.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { Badge } from "../../ui/marks/badge.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import classes from "./first-run.module.css";

/** Models of Ollama's registry from small to large, whose names tell their size. */
const suggestions = ["llama3.2:1b", "llama3.2:3b", "llama3.1:8b"];

export function ModelScreen({ onPull }: { onPull: (model: string) => void }) {
  const { t } = useTranslation();
  const { data: overview } = useOverview();
  const service = overview?.services.find(({ name }) => name === "model");
  if (service?.state === "external")
    return <Notice kind="info">{t("firstRun.model.external", { address: overview?.addresses.model ?? "" })}</Notice>;
  if (service?.state !== "up") return <Notice kind="info">{t("firstRun.model.down")}</Notice>;
  return (
    <>
      <p>{t("firstRun.model.starter")}</p>
      <ul className={classes.list}>
        {suggestions.map((name) => (
          <Suggestion key={name} name={name} onPull={() => onPull(name)} />
        ))}
      </ul>
    </>
  );
}

function Suggestion({ name, onPull }: { name: string; onPull: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { models } = useApi();
  const { data: fit } = useQuery({
    queryKey: [modelsKey, "fit", name, undefined],
    queryFn: ({ signal }) => models.fit(name, undefined, signal),
  });
  return (
    <li className={classes.model}>
      <div>
        <strong>{name}</strong>{" "}
        {fit && (
          <Badge tone={fit.fits ? "up" : "down"} icon={fit.fits ? CircleCheck : CircleX}>
            {t(fit.fits ? "firstRun.model.fits" : "firstRun.model.tooLarge")}
          </Badge>
        )}
        {fit && (
          <div className={classes.dim}>
            {t("firstRun.model.size", { size: formats.bytes(fit.weights), required: formats.bytes(fit.required) })}
          </div>
        )}
      </div>
      <Button
        leftSection={<Download size={13} aria-hidden />}
        aria-label={t("firstRun.model.getOf", { name })}
        onClick={onPull}
      >
        {t("firstRun.model.get")}
      </Button>
    </li>
  );
}
