import { Button } from "@mantine/core";
import { MemoryStick, Server } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ModelInMemory } from "../../../server/contract/model/model-client.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { useTicking } from "../../ui/marks/ticker.ts";
import { isScripted } from "./model-columns.tsx";
import { useModelActions } from "./use-models.ts";
import classes from "./models.module.css";

/** "For ever" is sent as a time in the far future. */
const foreverMs = 20 * 365 * 24 * 3_600_000;

/** The models in memory, in a row above the table: the size of each, and its expiry. */
export function LoadedStrip(props: { models: readonly ModelInMemory[]; onOpen: (name: string) => void }) {
  const { t } = useTranslation();
  const showFailure = useShowFailure();
  const { unload } = useModelActions();
  const models = props.models.filter((model) => !isScripted(model));
  if (models.length === 0) return null;
  return (
    <ul className={classes.strip} aria-label={t("models.loadedList")}>
      {models.map((model) => (
        <li key={`${model.name} ${model.remote_host ?? ""}`} className={classes.loaded}>
          <button type="button" className={classes.open} onClick={() => props.onOpen(model.name)}>
            <span className={classes.loadedName}>
              {model.upstreams ? <Server size={13} aria-hidden /> : <MemoryStick size={13} aria-hidden />}
              <span title={model.name}>{model.name}</span>
            </span>
            <LoadedFacts model={model} />
          </button>
          {!model.upstreams && (
            <Button
              size="compact-xs"
              aria-label={t("models.unloadOf", { name: model.name })}
              loading={unload.isPending && unload.variables === model.name}
              onClick={() =>
                unload.mutate(model.name, {
                  onError: showFailure,
                })
              }
            >
              {t("models.unload")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function LoadedFacts({ model }: { model: ModelInMemory }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const until = Date.parse(model.expires_at);
  const unloads = useTicking((now) => {
    const left = until - now;
    if (left > foreverMs) return t("models.stays");
    if (left <= 0) return t("models.unloadsNow");
    return t("models.unloadsIn", { time: formats.duration(Math.ceil(left / 1000) * 1000) });
  });
  if (model.upstreams)
    return <span className={classes.facts}>{t("models.loadedAt", { names: model.upstreams.join(", ") })}</span>;
  return (
    <span className={classes.facts}>
      <span>
        {t("models.loadedFacts", { size: formats.bytes(model.size), window: formats.number(model.context_length) })}
      </span>
      {model.size_vram > 0 && (
        <span>{t("models.onGpu", { percent: formats.number((model.size_vram / model.size) * 100) })}</span>
      )}
      <span>{unloads}</span>
    </span>
  );
}
