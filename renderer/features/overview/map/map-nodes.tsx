import { AppWindow, BrainCircuit, FolderSync, Landmark, Server, Smartphone } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Overview } from "../../../../server/contract/console/console.ts";
import type { ServiceStatus } from "../../../../server/contract/process/services.ts";
import type { ArmedFaults } from "../../../api/queries/use-armed-faults.ts";
import { StateMark } from "../../../ui/marks/state-mark.tsx";
import { ArmedMark } from "./armed-mark.tsx";
import { nodeSize, type MapNode, type nodeCentres } from "./map-layout.ts";
import classes from "./live-map.module.css";

const icons = {
  client: Smartphone,
  app: Server,
  provider: Landmark,
  console: AppWindow,
  model: BrainCircuit,
  watcher: FolderSync,
};
const nodes: readonly MapNode[] = ["client", "app", "provider", "console", "model", "watcher"];
/** The processes behind the services; the provider is a thread of the application's. */
const services: Partial<Record<MapNode, ServiceStatus["name"]>> = { app: "app", provider: "app", model: "model" };
const isOfUser = (node: MapNode): node is "client" | "console" | "watcher" =>
  node === "client" || node === "console" || node === "watcher";

/** The parts of the map, at their places; without places, one after another. */
export function MapNodes(props: {
  places?: ReturnType<typeof nodeCentres>;
  overview: Overview | undefined;
  armed: ArmedFaults;
}) {
  const { t } = useTranslation();
  const { places, overview, armed } = props;
  const faults: Partial<Record<MapNode, number>> = {
    app: armed.route,
    provider: armed.provider + (places ? 0 : armed.notification),
  };
  return (
    <ul className={classes.nodes} aria-label={t("overview.map.parts")}>
      {nodes.map((node) => {
        const Icon = icons[node];
        const service = overview?.services.find(({ name }) => name === services[node]);
        const place = places?.[node];
        const count = faults[node] ?? 0;
        return (
          <li
            key={node}
            className={classes.node}
            data-service={!isOfUser(node)}
            style={place && { left: place.x, top: place.y, ...nodeSize }}
          >
            <Icon size={18} strokeWidth={1.6} aria-hidden />
            <span className={classes.nodeText}>
              <span className={classes.nodeName}>{t(`overview.map.node.${node}`)}</span>
              <span className={classes.nodeNote}>
                {service && <StateMark state={service.state} />}
                {isOfUser(node) ? t(`overview.map.note.${node}`) : t(`service.state.${service?.state ?? "starting"}`)}
              </span>
            </span>
            {count > 0 && <ArmedMark count={count} />}
          </li>
        );
      })}
    </ul>
  );
}
