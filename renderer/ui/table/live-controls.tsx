import { Button } from "@mantine/core";
import { ArrowUp, Pause, Play } from "lucide-react";
import { useTranslation } from "react-i18next";
import classes from "./live-controls.module.css";

/** Shown over the first rows: the number of new rows above, and a button that shows them. */
export function FreshChip({ waiting, onShow }: { waiting: number; onShow: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.chip} role="status">
      {waiting > 0 && (
        <Button variant="filled" size="compact-sm" leftSection={<ArrowUp size={13} aria-hidden />} onClick={onShow}>
          {t("common.fresh", { count: waiting })}
        </Button>
      )}
    </div>
  );
}

/** Pauses the list while new rows are counted, and resumes it. */
export function PauseButton({ paused, onChange }: { paused: boolean; onChange: (paused: boolean) => void }) {
  const { t } = useTranslation();
  const Icon = paused ? Play : Pause;
  return (
    <Button
      aria-pressed={paused}
      {...(paused && { variant: "light" })}
      leftSection={<Icon size={13} aria-hidden />}
      onClick={() => onChange(!paused)}
    >
      {paused ? t("common.goOn") : t("common.pause")}
    </Button>
  );
}
