import { Button, NativeSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { MemoryStick } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useShowFailure } from "../../../api/actions/use-show-failure.ts";
import { NumberField } from "../../../ui/forms/number-field.tsx";
import { FitView } from "./fit-view.tsx";
import { useModelJobs } from "../jobs/use-model-jobs.ts";
import { useModelActions } from "../use-models.ts";
import classes from "../models.module.css";

/** The value of keep_alive for each choice. */
const keepAlive = { default: undefined, m5: "5m", m30: "30m", h1: "1h", forever: -1 } as const;
type Keep = keyof typeof keepAlive;
const choices = Object.keys(keepAlive) as Keep[];
const settleMs = 250;

/** Whether the model fits with a window of the chosen size, and the buttons that load and unload it. */
export function LoadForm({ model, isLoaded }: { model: string; isLoaded: boolean }) {
  const { t } = useTranslation();
  const showFailure = useShowFailure();
  const { jobs, actions } = useModelJobs();
  const { unload } = useModelActions();
  const [numCtx, setNumCtx] = useState<number>();
  const [keep, setKeep] = useState<Keep>("default");
  const [asked] = useDebouncedValue(numCtx, settleMs);
  const loading = jobs.some(
    ({ request, state }) => request.kind === "load" && request.model === model && state === "running",
  );
  return (
    <div className={classes.load}>
      <FitView model={model} numCtx={asked} />
      <div className={classes.loadFields}>
        <NumberField
          label={t("models.context")}
          placeholder={t("models.contextHint")}
          min={1}
          step={1024}
          allowDecimal={false}
          allowNegative={false}
          value={numCtx}
          onChange={(value) => setNumCtx(value || undefined)}
        />
        <NativeSelect
          label={t("models.keepAlive")}
          value={keep}
          data={choices.map((value) => ({ value, label: t(`models.keep.${value}`) }))}
          onChange={(change) => setKeep(change.currentTarget.value as Keep)}
        />
      </div>
      <div className={classes.buttons}>
        <Button
          variant="filled"
          leftSection={<MemoryStick size={13} aria-hidden />}
          loading={loading}
          onClick={() => actions.start({ kind: "load", model, num_ctx: numCtx, keep_alive: keepAlive[keep] })}
        >
          {t(isLoaded ? "models.loadAgain" : "models.load")}
        </Button>
        {isLoaded && (
          <Button
            loading={unload.isPending}
            onClick={() =>
              unload.mutate(model, {
                onError: showFailure,
              })
            }
          >
            {t("models.unload")}
          </Button>
        )}
      </div>
    </div>
  );
}
