import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Eraser } from "lucide-react";
import { useTranslation } from "react-i18next";
import { listEvents } from "../../../server/contract/console/traffic/event-endpoints.ts";
import { listStoredUploads } from "../../../server/contract/console/data/upload-endpoints.ts";
import type { StatePartName } from "../../../server/contract/console/control/control.ts";
import { createReset } from "../../../server/contract/console/control/control-endpoints.ts";
import { exportData, replaceData } from "../../../server/contract/console/data/data-endpoints.ts";
import type { DataDocument } from "../../../server/contract/console/data/data-transfer.ts";
import { listFileEvents } from "../../../server/contract/app/file-events.ts";
import { listStoredOrders } from "../../../server/contract/console/stored-order-endpoints.ts";
import { countRequests } from "../../../server/contract/console/traffic/request-endpoints.ts";
import { refetch } from "../../ui/refetch.ts";
import { useApi } from "../../api/use-api.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { useConfirm } from "../../ui/dialogs/confirm.tsx";
import { useToast } from "../../ui/dialogs/toast.ts";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import classes from "./collections.module.css";

const parts = ["requests", "events", "file_events", "uploads", "orders", "records"] as const satisfies StatePartName[];
type Part = (typeof parts)[number];

/** The server's stored data, its amounts, and actions to clear each part. */
export function StorageView({ records }: { records: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const confirm = useConfirm();
  const toast = useToast();
  const showFailure = useShowFailure();
  const queries = useQueryClient();
  const { call } = useApi();
  const counts = useQuery({
    queryKey: ["collections", "storage"],
    refetchOnMount: "always",
    queryFn: async ({ signal }): Promise<Omit<Record<Part, number>, "records">> => {
      const [requests, events, fileEvents, uploads, orders] = await Promise.all([
        call(countRequests, { signal }),
        call(listEvents, { query: { limit: 1 }, signal }),
        call(listFileEvents, { query: { limit: 1 }, signal }),
        call(listStoredUploads, { query: { limit: 1 }, signal }),
        call(listStoredOrders, { query: { limit: 1 }, signal }),
      ]);
      return {
        requests: requests.count,
        events: events.total,
        file_events: fileEvents.total,
        uploads: uploads.total,
        orders: orders.total,
      };
    },
  });
  const restore = async (items: DataDocument) => {
    try {
      await call(replaceData, { body: items });
      toast.success(t("collections.seedUndone"));
      await refetch(queries, []);
    } catch (error) {
      showFailure(error);
    }
  };
  const reset = useMutation({
    mutationFn: async (part: Part) => {
      const items = part === "records" ? await call(exportData, { query: { secrets: "include" } }) : undefined;
      await call(createReset, { body: { parts: [part] } });
      return items;
    },
    onSuccess: (items, part) => {
      const text = t("collections.cleared", { name: t(`collections.part.${part}`) });
      if (items) toast.undo(text, () => void restore(items));
      else toast.success(text);
      return refetch(queries, []);
    },
    onError: showFailure,
  });
  const clear = async (part: Part) => {
    const name = t(`collections.part.${part}`);
    const sure = await confirm({
      title: t("collections.clearTitle", { name }),
      text: t(part === "records" ? "collections.clearRecords" : "collections.clearText"),
      action: t(part === "records" ? "collections.seed" : "collections.clear"),
      danger: true,
    });
    if (sure) reset.mutate(part);
  };
  return (
    <>
      <QueryFailure query={counts} />
      <ul className={classes.storage}>
        {parts.map((part) => {
          const name = t(`collections.part.${part}`);
          const count = part === "records" ? records : counts.data?.[part];
          return (
            <li key={part} className={classes.kept}>
              <span>
                <strong>{name}</strong>{" "}
                <span className={classes.dim}>{count === undefined ? "" : formats.number(count)}</span>
                <span className={classes.limit}>{t(`collections.limit.${part}`)}</span>
              </span>
              <Button
                leftSection={<Eraser size={13} aria-hidden />}
                aria-label={t(part === "records" ? "collections.seedAgain" : "collections.clearOf", { name })}
                loading={reset.isPending && reset.variables === part}
                onClick={() => void clear(part)}
              >
                {t(part === "records" ? "collections.seed" : "collections.clear")}
              </Button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
