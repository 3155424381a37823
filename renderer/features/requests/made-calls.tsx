import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RecordedSummary } from "../../../server/contract/console/traffic/requests.ts";
import { Fields } from "../../ui/forms/fields.tsx";
import { callsMadeBy } from "./calls-made-by.ts";
import { useTrace } from "./use-requests.ts";
import classes from "./requests.module.css";

/** The calls that a request made, the request that made it, and the trace of both. */
export function MadeCalls({ request }: { request: RecordedSummary }) {
  const { t } = useTranslation();
  const { trace_id: trace, parent_id: parent } = request;
  const requests = useTrace(trace);
  if (trace === undefined) return null;
  const cause = requests.find(({ span_id }) => span_id !== undefined && span_id === parent);
  const made = callsMadeBy(request, requests);
  const link = ({ id, method, path, status }: RecordedSummary, count = 1) => (
    <Link key={id} to="/requests" search={{ request: String(id) }} className={classes.link}>
      {count > 1 && `${count} × `}
      {`${method} ${path} ${status ?? "—"}`}
    </Link>
  );
  return (
    <Fields
      items={[
        ...(cause ? [{ name: t("requests.madeBy"), value: link(cause), wire: true }] : []),
        ...(made.length === 0
          ? []
          : [
              {
                name: t("requests.madeCalls"),
                value: <span className={classes.links}>{made.map(({ first, count }) => link(first, count))}</span>,
                wire: true,
              },
            ]),
        {
          name: t("common.trace"),
          value: (
            <Link to="/requests" search={{ trace, view: "waterfall" }} className={classes.link}>
              {trace}
            </Link>
          ),
          wire: true,
        },
      ]}
    />
  );
}
