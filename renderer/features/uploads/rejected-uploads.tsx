import { ShieldX } from "lucide-react";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { TFunction } from "i18next";
import { listEvents } from "../../../server/contract/console/traffic/event-endpoints.ts";
import { eventSchemas } from "../../../server/contract/console/traffic/events.ts";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import { useApi } from "../../api/use-api.ts";
import { isReset } from "../../api/events/resets.ts";
import { follow } from "../../api/events/event-source.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import type { Column } from "../../ui/table/table-columns.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { RowTime } from "../../ui/marks/row-time.tsx";
import { useAppendOnlyList, type LiveChanges } from "../../ui/table/use-append-only-list.ts";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import classes from "./uploads.module.css";

const type = "upload.rejected";
const pageSize = 200;

/** The refused uploads with the reasons that clients got. Their content is not stored. */
export function RejectedUploads() {
  const { t } = useTranslation();
  const { call, live } = useApi();
  const listen = useCallback(
    (changes: LiveChanges<CloudEvent>) =>
      follow(
        live,
        (events) => {
          if (events.some(isReset)) changes.removed();
          else changes.rows(events.filter((event) => event.type === type));
        },
        changes.changed,
      ),
    [live],
  );
  const { list, query, loadOlder } = useAppendOnlyList<CloudEvent>({
    key: ["events", "rejected-uploads"],
    listen,
    load: async (before, signal) => {
      const { events, total } = await call(listEvents, { query: { limit: pageSize, before, type }, signal });
      return { rows: events, total, complete: events.length < pageSize };
    },
  });
  const columns = useMemo(() => rejectedColumns(t), [t]);
  if (list?.rows.length === 0)
    return (
      <EmptyState
        icon={<ShieldX size={26} strokeWidth={1.5} aria-hidden />}
        title={t("uploads.noneRejected")}
        text={t("uploads.noneRejectedText")}
      />
    );
  return (
    <>
      <QueryFailure query={query} />
      <DataTable
        label={t("uploads.rejected")}
        columns={columns}
        rows={list?.rows ?? []}
        rowKey={(event) => event.id}
        total={list?.total}
        selected={undefined}
        onSelect={() => undefined}
        onNearEnd={() => void loadOlder()}
      />
    </>
  );
}

const rejectedColumns = (t: TFunction): Column<CloudEvent>[] => [
  { key: "time", header: t("uploads.time"), track: "96px", cell: (event) => <RowTime iso={event.time} /> },
  {
    key: "name",
    header: t("uploads.name"),
    track: "minmax(110px, 260px)",
    cell: (event) => <span className={classes.wire}>{refusalOf(event)?.file_name}</span>,
  },
  {
    key: "reason",
    header: t("uploads.reason"),
    track: "minmax(140px, 1fr)",
    cell: (event) => <span title={refusalOf(event)?.reason}>{refusalOf(event)?.reason}</span>,
  },
];

const refusalOf = (event: CloudEvent) => eventSchemas[type].safeParse(event.data).data;
