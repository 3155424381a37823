import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ArrowUpRight, Filter } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { EventFaults } from "./event-columns.tsx";
import { BodyView } from "../../ui/code/body-view.tsx";
import { Fields } from "../../ui/forms/fields.tsx";
import { nameIn } from "./summarize.ts";
import { linkOf } from "./event-link.ts";
import classes from "./events.module.css";

export function EventInspector({ event, onSubject }: { event: CloudEvent; onSubject: (subject: string) => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const link = linkOf(event);
  const { subject } = event;
  const name = nameIn(event);
  const trace = event.traceparent?.split("-")[1];
  return (
    <>
      <EventFaults event={event} />
      <Fields
        items={[
          { name: t("events.type"), value: event.type, wire: true },
          ...(name === undefined ? [] : [{ name: t("events.name"), value: name }]),
          { name: t("events.source"), value: event.source, wire: true },
          ...(subject === undefined ? [] : [{ name: t("events.subject"), value: subject, wire: true }]),
          { name: t("events.time"), value: <time dateTime={event.time}>{formats.exact(event.time)}</time> },
          ...(trace === undefined ? [] : [{ name: t("common.trace"), value: <TraceLink trace={trace} />, wire: true }]),
        ]}
      />
      {(link !== undefined || subject !== undefined) && (
        <div className={classes.ways}>
          {link && (
            <Button
              renderRoot={(rest) => <Link {...link} {...rest} />}
              leftSection={<ArrowUpRight size={13} aria-hidden />}
            >
              {t(`events.open.${link.to}`)}
            </Button>
          )}
          {subject !== undefined && (
            <Button leftSection={<Filter size={13} aria-hidden />} onClick={() => onSubject(subject)}>
              {t("events.onlySubject")}
            </Button>
          )}
        </div>
      )}
      <section>
        <h3 className={classes.wireHead}>{t("events.cloudEvent")}</h3>
        <BodyView
          text={JSON.stringify(event, null, 2)}
          mediaType="application/cloudevents+json"
          label={t("events.cloudEvent")}
          maxHeight={640}
        />
      </section>
    </>
  );
}

const TraceLink = ({ trace }: { trace: string }) => (
  <Link to="/requests" search={{ trace, view: "waterfall" }}>
    {trace}
  </Link>
);
