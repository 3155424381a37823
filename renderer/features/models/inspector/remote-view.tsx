import { Button } from "@mantine/core";
import { Server } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ServedModel } from "../../../../server/contract/model/model-client.ts";
import { useShowFailure } from "../../../api/actions/use-show-failure.ts";
import { useUpstreams } from "../../../api/queries/use-upstreams.ts";
import { Badge } from "../../../ui/marks/badge.tsx";
import { UpstreamList } from "../../../ui/upstream-list.tsx";
import { QueryFailure } from "../../../ui/dialogs/query-failure.tsx";
import { useModelActions } from "../use-models.ts";
import classes from "../models.module.css";

/** The upstreams of a model that runs elsewhere. */
export function RemoteBadge({ model: { upstreams = [], remote_host: host } }: { model: ServedModel }) {
  const { data } = useUpstreams();
  const isDown = upstreams.every((name) => data?.find((one) => one.name === name)?.state === "down");
  return (
    <span className={classes.memory} title={host}>
      <Badge tone={isDown ? "down" : "info"} icon={Server}>
        {upstreams.join(", ")}
      </Badge>
    </span>
  );
}

/** Where a model runs that runs elsewhere, and its name there. */
export function RemoteView({ model, isLoaded }: { model: ServedModel; isLoaded: boolean }) {
  const { t } = useTranslation();
  const showFailure = useShowFailure();
  const upstreams = useUpstreams();
  const { unload } = useModelActions();
  const own = (upstreams.data ?? []).filter(({ name }) => model.upstreams?.includes(name));
  const canUnload = isLoaded && own.every(({ kind }) => kind === "ollama");
  return (
    <section className={classes.load} aria-label={t("models.runsAt")}>
      <p className={classes.note}>{t("models.remoteNote", { name: model.remote_model ?? model.name })}</p>
      <QueryFailure query={upstreams} />
      <UpstreamList upstreams={own} label={t("models.runsAt")} />
      {canUnload && (
        <div className={classes.buttons}>
          <Button loading={unload.isPending} onClick={() => unload.mutate(model.name, { onError: showFailure })}>
            {t("models.unload")}
          </Button>
        </div>
      )}
    </section>
  );
}
