import { useTranslation } from "react-i18next";
import type { CloudEvent } from "../../../server/contract/events.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Fields } from "../../ui/fields.tsx";
import { JsonView } from "../../ui/json-view.tsx";
import classes from "./events.module.css";

export function EventInspector({ event }: { event: CloudEvent }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <>
      <Fields
        items={[
          { name: t("events.type"), value: event.type, wire: true },
          { name: t("events.source"), value: event.source, wire: true },
          ...(event.subject === undefined ? [] : [{ name: t("events.subject"), value: event.subject, wire: true }]),
          { name: t("events.time"), value: <time dateTime={event.time}>{formats.exact(event.time)}</time> },
        ]}
      />
      <section>
        <header className={classes.wireHead}>
          <h3>{t("events.cloudEvent")}</h3>
          <CopyButton value={JSON.stringify(event, null, 2)} name={t("events.cloudEvent")} />
        </header>
        <JsonView value={event} />
      </section>
    </>
  );
}
