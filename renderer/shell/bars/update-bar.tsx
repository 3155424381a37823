import { Button, Progress } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { UpdateAction, UpdateState } from "../../../server/contract/console/machine/updates.ts";
import type { hearthWindow } from "../../api/desktop/hearth-window.ts";
import classes from "./update-bar.module.css";

/** The possible actions in each state, the usual one first. */
const actions: Record<UpdateState["step"], readonly UpdateAction[]> = {
  none: [],
  current: ["decline"],
  offered: ["download", "decline"],
  downloading: ["cancel"],
  ready: ["install", "decline"],
  failed: ["check", "decline"],
};

/** At the foot of the page, in the window alone: a newer version is offered, downloaded and installed by a person's word. */
export function UpdateBar({ program }: { program: NonNullable<typeof hearthWindow> }) {
  const { t } = useTranslation();
  const [state, setState] = useState<UpdateState>({ step: "none" });
  useEffect(() => {
    program.onUpdate(setState);
    void program.updateState().then(setState);
  }, [program]);
  if (state.step === "none") return undefined;
  const version = "version" in state ? state.version : "";
  const percent = state.step === "downloading" ? Math.round(state.fraction * 100) : 0;
  const text = {
    current: () => t("update.current"),
    offered: () => t("update.offered", { version }),
    downloading: () => t("update.downloading", { version, percent }),
    ready: () => t("update.ready", { version }),
    failed: () => t("update.failed", { reason: state.step === "failed" ? state.reason : "" }),
  }[state.step];
  const declines = state.step === "offered" || state.step === "ready" ? t("update.notNow") : t("common.close");
  const labels: Record<UpdateAction, string> = {
    check: t("update.again"),
    download: t("common.download"),
    cancel: t("common.cancel"),
    install: t("update.restart"),
    decline: declines,
  };
  return (
    <div className={classes.bar} role="status">
      <span>{text()}</span>
      {state.step === "downloading" && <Progress value={percent} className={classes.progress} aria-hidden />}
      {actions[state.step].map((action, index) => (
        <Button
          key={action}
          size="compact-sm"
          variant={index === 0 ? "filled" : "subtle"}
          onClick={() => void program.actOnUpdate(action)}
        >
          {labels[action]}
        </Button>
      ))}
    </div>
  );
}
