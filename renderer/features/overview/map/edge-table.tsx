import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import type { MapEdge } from "./map-layout.ts";
import classes from "./live-map.module.css";

/** The arrows of the map as a table: for screen readers, and where there is no room for a map. */
export function EdgeTable({ edges }: { edges: readonly MapEdge[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (edges.length === 0) return <p className={classes.quiet}>{t("overview.map.quiet")}</p>;
  return (
    <table className={classes.table} aria-label={t("overview.map.table")}>
      <thead>
        <tr>
          <th scope="col">{t("overview.map.way")}</th>
          <th scope="col">{t("overview.rate")}</th>
          <th scope="col">{t("overview.map.failed")}</th>
          <th scope="col">95%</th>
        </tr>
      </thead>
      <tbody>
        {edges.map(({ sender, service, requests, failed, p95_ms }) => (
          <tr key={`${sender} ${service}`} data-failed={failed > 0}>
            <th scope="row">
              <Link to="/requests" search={{ sender, service }}>
                {t(`overview.map.node.${sender}`)} → {t(`overview.map.node.${service}`)}
              </Link>
            </th>
            <td>{formats.number(requests)}</td>
            <td>{formats.number(failed)}</td>
            <td>{formats.duration(p95_ms)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
