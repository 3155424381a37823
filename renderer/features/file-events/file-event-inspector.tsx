import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ListFilter } from "lucide-react";
import { useTranslation } from "react-i18next";
import { listFileEvents, type FileEvent } from "../../../server/contract/app/file-events.ts";
import { useApi } from "../../api/use-api.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { CopyButton } from "../../ui/code/copy-button.tsx";
import { Fields } from "../../ui/forms/fields.tsx";
import { RawToggle } from "../../ui/code/raw-view.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { ChangeMark } from "./change-mark.tsx";
import { pathText } from "./file-event-columns.tsx";
import classes from "./file-events.module.css";

const newest = 100;

/** One change, and the other changes of the same file. */
export function FileEventInspector(props: {
  event: FileEvent;
  /** Narrows the list to a path. */
  onPath: (path: string) => void;
  onOpen: (id: string) => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { event } = props;
  return (
    <RawToggle value={event} name={t("fileEvents.inspector", { id: event.id })}>
      <Fields
        items={[
          { name: t("fileEvents.kind"), value: <ChangeMark ev={event.ev} /> },
          ...(event.moved_from === undefined ? [] : [pathField(t("fileEvents.movedFrom"), event.moved_from)]),
          pathField(t(event.moved_from === undefined ? "fileEvents.file" : "fileEvents.movedTo"), event.df),
          {
            name: t("fileEvents.time"),
            value: <time dateTime={event.received_at}>{formats.exact(event.received_at)}</time>,
          },
        ]}
      />
      <Timeline event={event} onOpen={props.onOpen} />
      <Button leftSection={<ListFilter size={13} aria-hidden />} onClick={() => props.onPath(event.df)}>
        {t("fileEvents.onlyThis")}
      </Button>
    </RawToggle>
  );
}

const pathField = (name: string, path: string) => ({
  name,
  value: (
    <>
      {path} <CopyButton value={path} name={name} />
    </>
  ),
  wire: true,
});

function Timeline({ event, onOpen }: { event: FileEvent; onOpen: (id: string) => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { call } = useApi();
  const others = useQuery({
    queryKey: ["file-events", "timeline", event.df, event.id],
    queryFn: ({ signal }) => call(listFileEvents, { query: { path: event.df, limit: newest }, signal }),
  });
  // A folder's path matches everything below it; the timeline is of the path itself.
  const own = others.data?.events.filter(({ df, moved_from }) => df === event.df || moved_from === event.df) ?? [];
  return (
    <section aria-label={t("fileEvents.timeline")} className={classes.timeline}>
      <h3>{t("fileEvents.timeline")}</h3>
      <QueryFailure query={others} />
      <ol>
        {own.map((other) => (
          <li key={other.id}>
            <button
              type="button"
              className={classes.moment}
              aria-current={other.id === event.id}
              onClick={() => onOpen(String(other.id))}
            >
              <time dateTime={other.received_at}>{formats.exact(other.received_at)}</time>
              <ChangeMark ev={other.ev} />
              {other.moved_from !== undefined && <span className={classes.moved}>{pathText(other)}</span>}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
