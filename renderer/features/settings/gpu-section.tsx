import { Button, Progress } from "@mantine/core";
import { CircleCheck, CircleX, Download, LoaderCircle, RotateCw, Trash2, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { GpuEngineView } from "../../../server/contract/console/machine/gpu-engine-endpoints.ts";
import type { GpuKind } from "../../../server/contract/model/gpu-engine.ts";
import { gpuNames, useGpuEngine, useGpuEngineActions } from "../../api/queries/use-gpu-engine.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { Badge, type BadgeStyle } from "../../ui/marks/badge.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import classes from "./settings.module.css";

/** The engine's builds for GPUs. Where there are none, as on a Mac, nothing is shown. */
export function GpuSection() {
  const { t } = useTranslation();
  const query = useGpuEngine();
  const view = query.data;
  if (!view) return <QueryFailure query={query} />;
  if (view.offered.length === 0) return null;
  return (
    <section aria-labelledby="settings-gpu" className={classes.group}>
      <h2 id="settings-gpu">{t("settings.gpu.title")}</h2>
      <p className={classes.text}>{t("settings.gpu.about")}</p>
      {view.download_problem !== undefined && (
        <Notice kind="error">{t("settings.gpu.downloadFailed", { reason: view.download_problem })}</Notice>
      )}
      {view.offered.map(({ kind, bytes }) => (
        <BuildRow key={kind} kind={kind} bytes={bytes} view={view} />
      ))}
    </section>
  );
}

const badges: Readonly<Record<Exclude<GpuEngineView["state"], "absent">, BadgeStyle>> = {
  used: { tone: "up", icon: CircleCheck },
  starting: { tone: "busy", icon: LoaderCircle },
  failed: { tone: "down", icon: CircleX },
  crashed: { tone: "down", icon: CircleX },
};

interface BuildProps {
  kind: GpuKind;
  bytes: number;
  view: GpuEngineView;
}

function BuildRow({ kind, bytes, view }: BuildProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const isInstalled = view.installed === kind;
  const state = isInstalled && view.state !== "absent" ? view.state : undefined;
  const name = gpuNames[kind];
  return (
    <div className={classes.row} role="group" aria-label={name}>
      <div>
        <div className={classes.nameLine}>
          <span className={classes.name}>{name}</span>
          {state && (
            <Badge tone={badges[state].tone} icon={badges[state].icon}>
              {t(`settings.gpu.state.${state}`)}
            </Badge>
          )}
        </div>
        <p className={classes.text}>{t(`settings.gpu.hint.${kind}`, { size: formats.bytes(bytes) })}</p>
        {isInstalled && view.reason !== undefined && (
          <p className={`${classes.text} ${classes.problem}`}>{view.reason}</p>
        )}
      </div>
      <BuildActions kind={kind} view={view} />
    </div>
  );
}

function BuildActions({ kind, view }: Omit<BuildProps, "bytes">) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { download, cancel, retry, remove } = useGpuEngineActions();
  const name = gpuNames[kind];
  if (view.download?.kind === kind) {
    const { completed, total } = view.download;
    return (
      <div className={classes.download}>
        <Progress value={(completed / total) * 100} size={4} aria-label={t("settings.gpu.progress", { name })} />
        <span className={classes.files} role="status">
          {t("settings.gpu.bytes", { completed: formats.bytes(completed), total: formats.bytes(total) })}
        </span>
        <Button
          leftSection={<X size={13} aria-hidden />}
          loading={cancel.isPending}
          aria-label={t("settings.gpu.cancelOf", { name })}
          onClick={() => cancel.mutate()}
        >
          {t("common.cancel")}
        </Button>
      </div>
    );
  }
  if (view.installed === kind)
    return (
      <div className={classes.buttons}>
        {(view.state === "failed" || view.state === "crashed") && (
          <Button
            leftSection={<RotateCw size={13} aria-hidden />}
            loading={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {t("failure.tryAgain")}
          </Button>
        )}
        <Button
          leftSection={<Trash2 size={13} aria-hidden />}
          loading={remove.isPending}
          aria-label={t("settings.gpu.removeOf", { name })}
          onClick={() => remove.mutate()}
        >
          {t("settings.gpu.remove")}
        </Button>
      </div>
    );
  return (
    <div className={classes.buttons}>
      <Button
        leftSection={<Download size={13} aria-hidden />}
        loading={download.isPending}
        disabled={view.download !== undefined}
        aria-label={t("settings.gpu.downloadOf", { name })}
        onClick={() => download.mutate(kind)}
      >
        {t("common.download")}
      </Button>
    </div>
  );
}
