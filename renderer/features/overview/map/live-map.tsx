import { VisuallyHidden } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Overview } from "../../../../server/contract/console/console.ts";
import { useArmedFaults, type ArmedFaults } from "../../../api/queries/use-armed-faults.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { useTraffic } from "../use-activity.ts";
import { ArmedMark } from "./armed-mark.tsx";
import { EdgeTable } from "./edge-table.tsx";
import { arrowsOf, mapHeight, narrowestMap, nodeCentres, type Arrow, type MapEdge } from "./map-layout.ts";
import { MapNodes } from "./map-nodes.tsx";
import classes from "./live-map.module.css";

/** Who asked whom in the last minutes, how often, how long it took and what failed; and where armed faults bite. */
export function LiveMap({ overview }: { overview: Overview | undefined }) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const edges = useTraffic().data?.edges ?? noEdges;
  const armed = useArmedFaults();
  const isWide = width >= narrowestMap;
  return (
    <section className={classes.card} aria-labelledby="overview-map">
      <header className={classes.head}>
        <h2 id="overview-map">{t("overview.map.title")}</h2>
        <p>{t("overview.map.hint")}</p>
      </header>
      <div ref={ref} className={classes.frame} data-wide={isWide} style={isWide ? { height: mapHeight } : undefined}>
        {isWide ? (
          <>
            <Arrows width={width} edges={edges} armed={armed} />
            <MapNodes places={nodeCentres(width)} overview={overview} armed={armed} />
            <VisuallyHidden>
              <EdgeTable edges={edges} />
            </VisuallyHidden>
          </>
        ) : (
          width > 0 && (
            <>
              <MapNodes overview={overview} armed={armed} />
              <EdgeTable edges={edges} />
            </>
          )
        )}
      </div>
    </section>
  );
}

const noEdges: MapEdge[] = [];

function Arrows({ width, edges, armed }: { width: number; edges: readonly MapEdge[]; armed: ArmedFaults }) {
  const arrows = arrowsOf(width);
  const known = new Map(edges.map((edge) => [`${edge.sender} ${edge.service}`, edge]));
  return (
    <>
      <svg className={classes.arrows} width={width} height={mapHeight} aria-hidden>
        <defs>
          {(["idle", "busy", "failed"] as const).map((state) => (
            <marker
              key={state}
              id={`map-head-${state}`}
              className={classes.arrowHead}
              data-state={state}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0 .5 7.5 4 0 7.5Z" />
            </marker>
          ))}
        </defs>
        {arrows.map(({ key, path }) => {
          const state = stateOf(known.get(key));
          return (
            <path
              key={key}
              d={path}
              className={classes.arrow}
              data-state={state}
              strokeWidth={strokeOf(known.get(key))}
              markerEnd={`url(#map-head-${state})`}
            />
          );
        })}
      </svg>
      {arrows.map((arrow) => {
        const edge = known.get(arrow.key);
        return edge && <EdgeLabel key={arrow.key} arrow={arrow} edge={edge} />;
      })}
      <NotificationFaults arrows={arrows} armed={armed} />
    </>
  );
}

const stateOf = (edge: MapEdge | undefined) => (edge === undefined ? "idle" : edge.failed > 0 ? "failed" : "busy");
/** Ten times the requests are one pixel more. */
const strokeOf = (edge: MapEdge | undefined) =>
  edge === undefined ? 1 : Math.min(4, 1.25 + Math.log10(edge.requests));

function EdgeLabel({ arrow, edge }: { arrow: Arrow; edge: MapEdge }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { sender, service, requests, failed, p95_ms } = edge;
  return (
    <Link
      to="/requests"
      search={{ sender, service }}
      // A new one of the same place is marked for a moment.
      key={edge.last_at}
      className={classes.label}
      data-failed={failed > 0}
      style={{ left: arrow.label.x, top: arrow.label.y }}
    >
      <VisuallyHidden>
        {t("overview.map.edge", {
          sender: t(`overview.map.node.${sender}`),
          service: t(`overview.map.node.${service}`),
        })}
      </VisuallyHidden>
      <b>{formats.number(requests)}</b>
      <span>{formats.duration(p95_ms)}</span>
      {failed > 0 && <em>{t("histogram.failed", { count: failed })}</em>}
    </Link>
  );
}

/** Faults of notifications bite between provider and application. */
function NotificationFaults({ arrows, armed }: { arrows: readonly Arrow[]; armed: ArmedFaults }) {
  const arrow = arrows.find(({ key }) => key === "provider app");
  if (!arrow || armed.notification === 0) return null;
  return (
    <span className={classes.onArrow} style={{ left: arrow.label.x, top: arrow.label.y + 24 }}>
      <ArmedMark count={armed.notification} />
    </span>
  );
}
