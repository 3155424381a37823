import { Button } from "@mantine/core";
import { RotateCw, ScrollText } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceStatus } from "../../../../server/contract/process/services.ts";
import { useUpstreams } from "../../../api/queries/use-upstreams.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { CopyButton } from "../../../ui/code/copy-button.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { lazyPagePart } from "../../../ui/lazy-part.ts";
import { RelativeTime } from "../../../ui/marks/relative-time.tsx";
import { StateMark } from "../../../ui/marks/state-mark.tsx";
import { UpstreamList } from "../../../ui/upstream-list.tsx";
import { useRestart } from "./use-restart.ts";
import classes from "../overview.module.css";

const MoveService = lazyPagePart(
  () => import("./move-service.tsx"),
  (file) => file.MoveService,
);

const LogDialog = lazyPagePart(
  () => import("./log-dialog.tsx"),
  (file) => file.LogDialog,
);

/** One process: its state, its address, and its actions. */
export function ServiceCard({ service, memory }: { service: ServiceStatus; memory: number | undefined }) {
  const [log, setLog] = useState<boolean>();
  const { t } = useTranslation();
  const restart = useRestart(service.name);
  const name = t(`service.${service.name}`);
  const busy = restart.isPending || service.state === "starting" || service.state === "restarting";
  return (
    <article className={classes.card} aria-label={name} data-service={service.name} data-state={service.state}>
      <header className={classes.cardHead}>
        <div className={classes.cardName}>
          <h3>{name}</h3>
          <p>{t(`service.${service.name}Hint`)}</p>
        </div>
        <span className={classes.state} data-state={service.state} role="status">
          <StateMark state={service.state} />
          {t(`service.state.${service.state}`)}
        </span>
      </header>
      <Addresses urls={service.urls} />
      {service.name === "model" && service.state === "up" && <Upstreams />}
      {service.reason !== undefined && (
        <Notice kind={service.state === "external" ? "info" : "error"}>{service.reason}</Notice>
      )}
      {service.name === "model" && (service.state === "external" || service.state === "down") && (
        <Suspense>
          <MoveService service={service} />
        </Suspense>
      )}
      {restart.error && (
        <Notice kind="error">{t("overview.restartFailed", { name, reason: restart.error.message })}</Notice>
      )}
      <footer className={classes.cardFoot}>
        <Facts service={service} memory={memory} />
        <div className={classes.cardButtons}>
          <Button
            size="compact-xs"
            aria-label={t("overview.logOf", { name })}
            leftSection={<ScrollText size={12} aria-hidden />}
            onClick={() => setLog(true)}
          >
            {t("overview.log")}
          </Button>
          <Button
            size="compact-xs"
            aria-label={t("overview.restartOf", { name })}
            leftSection={<RotateCw size={12} aria-hidden />}
            disabled={busy || service.state === "external"}
            onClick={() => restart.mutate(undefined)}
          >
            {t("overview.restart")}
          </Button>
        </div>
      </footer>
      {log !== undefined && (
        <Suspense>
          <LogDialog name={service.name} opened={log} onClose={() => setLog(false)} />
        </Suspense>
      )}
    </article>
  );
}

/** Where models run beside here. */
function Upstreams() {
  const { t } = useTranslation();
  const { data = [] } = useUpstreams();
  return data.length > 0 && <UpstreamList upstreams={data} label={t("upstreams.title")} />;
}

function Addresses({ urls }: { urls: ServiceStatus["urls"] }) {
  const { t } = useTranslation();
  const known = {
    app: t("overview.address.app"),
    console: t("overview.address.console"),
    provider: t("overview.address.provider"),
    stand_in: t("overview.address.standIn"),
    model: t("overview.address.model"),
  };
  const label = (key: string) => (key in known ? known[key as keyof typeof known] : key);
  const entries = Object.entries(urls);
  if (entries.length === 0) return <div className={classes.noAddress}>{t("overview.noAddress")}</div>;
  return (
    <ul className={classes.addresses}>
      {entries.map(([key, url]) => (
        <li key={key}>
          <span className={classes.addressName}>{label(key)}</span>
          <a href={url} target="_blank" rel="noreferrer" className={classes.address}>
            {url}
          </a>
          <CopyButton value={url} name={t("overview.addressOf", { name: label(key) })} />
        </li>
      ))}
    </ul>
  );
}

function Facts({ service, memory }: { service: ServiceStatus; memory: number | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t("overview.pid")}</dt>
        <dd>{service.pid ?? "–"}</dd>
      </div>
      <div>
        <dt>{t("overview.memory")}</dt>
        <dd>{memory === undefined ? "–" : formats.bytes(memory)}</dd>
      </div>
      <div>
        <dt>{t("overview.restarts")}</dt>
        <dd>{service.restarts}</dd>
      </div>
      <div>
        <dt>{t("overview.since")}</dt>
        <dd>
          <RelativeTime iso={service.since} />
        </dd>
      </div>
    </dl>
  );
}
