import { Button, NativeSelect } from "@mantine/core";
import { X } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { eventNames } from "../../../server/contract/console/traffic/events.ts";
import { withPresent } from "../../ui/forms/with-present.ts";
import { FilterBar } from "../../ui/table/filter-bar.tsx";
import { useEventSources, type EventFilter } from "./use-events.ts";
import classes from "./events.module.css";

/**
 * Filters the list by text, type and source, and by the subject of a selected event. Memoized, because the list changes
 * far more often.
 */
export const EventFilterBar = memo(function EventFilterBar(props: {
  filter: EventFilter;
  onChange: (change: Partial<EventFilter>) => void;
}) {
  const { t } = useTranslation();
  const { filter, onChange } = props;
  const sources = useEventSources();
  return (
    <FilterBar label={t("events.search")} text={filter.q} onText={(q) => onChange({ q })}>
      <NativeSelect
        aria-label={t("events.typeFilter")}
        value={filter.type ?? ""}
        onChange={(change) => onChange({ type: change.currentTarget.value || undefined })}
        data={[{ value: "", label: t("events.allTypes") }, ...withPresent(eventNames, filter.type)]}
      />
      <NativeSelect
        aria-label={t("events.sourceFilter")}
        value={filter.source ?? ""}
        onChange={(change) => onChange({ source: change.currentTarget.value || undefined })}
        data={[{ value: "", label: t("events.allSources") }, ...withPresent(sources, filter.source)]}
      />
      {filter.subject !== undefined && (
        <Button
          variant="light"
          className={classes.subject ?? ""}
          title={filter.subject}
          rightSection={<X size={12} aria-hidden />}
          aria-label={t("events.dropSubject", { subject: filter.subject })}
          onClick={() => onChange({ subject: undefined })}
        >
          {filter.subject}
        </Button>
      )}
    </FilterBar>
  );
});
