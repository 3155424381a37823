import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { gpuNames, useGpuEngine } from "../../../api/queries/use-gpu-engine.ts";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import classes from "./gpu-notice.module.css";

/** Says that models run on the CPU although a build for the GPU is installed, and why. */
export function GpuNotice() {
  const { t } = useTranslation();
  const { data: view } = useGpuEngine();
  if (view?.installed === undefined || (view.state !== "failed" && view.state !== "crashed")) return null;
  return (
    <div className={classes.place}>
      <Notice kind="error">
        {t("models.gpu.onCpu", { name: gpuNames[view.installed], reason: view.reason ?? "" })}{" "}
        <Link to="/settings">{t("models.gpu.toSettings")}</Link>
      </Notice>
    </div>
  );
}
