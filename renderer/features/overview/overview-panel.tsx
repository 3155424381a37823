import { Skeleton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Overview } from "../../../server/contract/console/console.ts";
import type { ServiceStatus } from "../../../server/contract/process/services.ts";
import { useOverview } from "../../api/queries/use-overview.ts";
import { CopyButton } from "../../ui/code/copy-button.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { Page } from "../../ui/page.tsx";
import { ConnectCards } from "./connect-cards.tsx";
import { DamageNotices } from "./damage-notices.tsx";
import { EventSources } from "./event-sources.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { LanCard } from "./lan-card.tsx";
import { LiveMap } from "./map/live-map.tsx";
import { ServiceCard } from "./services/service-card.tsx";
import { TrafficCharts } from "./traffic-charts.tsx";
import { useEventCounts, useMemory, useTraffic } from "./use-activity.ts";
import activity from "./activity.module.css";
import classes from "./overview.module.css";

export function OverviewPanel() {
  const { t } = useTranslation();
  const overview = useOverview();
  const { data } = overview;
  return (
    <Page title={t("overview.title")}>
      <div className={classes.content} data-waiting={data === undefined}>
        {!data && <QueryFailure query={overview} />}
        {data && <DamageNotices damage={data.damage} />}
        <div className={classes.hero}>
          <LiveMap overview={data} />
          <FirstSteps />
        </div>
        <section aria-labelledby="overview-services">
          <h2 id="overview-services" className={classes.heading}>
            {t("overview.services")}
          </h2>
          <Services services={data?.services} />
        </section>
        <section aria-labelledby="overview-activity">
          <h2 id="overview-activity" className={classes.heading}>
            {t("overview.activity")}
          </h2>
          <QueryFailure query={useTraffic()} />
          <QueryFailure query={useEventCounts()} />
          <div className={activity.activity}>
            <TrafficCharts />
            <EventSources />
          </div>
        </section>
        {data && (
          <section aria-labelledby="overview-connect">
            <h2 id="overview-connect" className={classes.heading}>
              {t("overview.connect")}
            </h2>
            <p className={classes.hint}>{t("overview.connectHint")}</p>
            <ConnectCards addresses={data.addresses} />
          </section>
        )}
        {data && (
          <section aria-labelledby="overview-lan">
            <h2 id="overview-lan" className={classes.heading}>
              {t("overview.lan")}
            </h2>
            <LanCard addresses={data.lan_addresses} />
          </section>
        )}
        {data && <DataFolder overview={data} />}
      </div>
    </Page>
  );
}

function Services({ services }: { services: readonly ServiceStatus[] | undefined }) {
  const memory = useMemory();
  return (
    <div className={classes.services}>
      {services?.map((service) => <ServiceCard key={service.name} service={service} memory={memory[service.name]} />) ??
        ["app", "model", "runner"].map((name) => <Skeleton key={name} className={classes.placeholder} />)}
    </div>
  );
}

function DataFolder({ overview }: { overview: Overview }) {
  const { t } = useTranslation();
  return (
    <p className={classes.folder}>
      <span className={classes.dim}>{t("overview.dataDir")}</span>
      <code className={classes.wire}>{overview.data_dir}</code>
      <CopyButton value={overview.data_dir} name={t("overview.dataDir")} />
      <span className={classes.version}>{t("overview.version", { version: overview.version })}</span>
    </p>
  );
}
