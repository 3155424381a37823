import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useChangeSearch, usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterCount } from "../../ui/table/filter-count.tsx";
import { FreshChip, PauseButton } from "../../ui/table/live-controls.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { Page } from "../../ui/page.tsx";
import { SplitView } from "../../ui/table/split-view.tsx";
import { tableSort } from "../../ui/table/table-sort.ts";
import { TimeHistogram } from "../../ui/table/time-histogram.tsx";
import { useReadingPosition } from "../../ui/table/use-reading-position.ts";
import { eventColumns } from "./event-columns.tsx";
import { EventFilterBar } from "./event-filter-bar.tsx";
import { EventInspector } from "./event-inspector.tsx";
import { EventsEmpty } from "./events-empty.tsx";
import type { EventsSearch } from "./events-search.ts";
import { useEventHistogram, useEvents, useStoredEvent, type EventFilter } from "./use-events.ts";
import classes from "./events.module.css";

const route = getRouteApi("/events");

/** All stored events, live; the filter and the open event are in the address. */
export function EventsPanel() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { event: openId, sort, type, source, subject, q, since, until } = route.useSearch();
  const filter = useMemo<EventFilter>(
    () => ({ type, source, subject, q, since, until }),
    [type, source, subject, q, since, until],
  );
  const change = useChangeSearch<EventsSearch>(usePageNavigate(route));
  const { list, query, loadOlder } = useEvents(filter, sort);
  const events = list?.rows ?? noEvents;
  const histogram = useEventHistogram(filter);
  const reading = useReadingPosition(list?.rows, JSON.stringify([filter, sort]), sort !== undefined);
  const columns = useMemo(() => eventColumns(t, formats), [t, formats]);

  const held = events.find((event) => event.id === openId);
  const fetched = useStoredEvent(openId, held);
  const open = held ?? fetched.data;
  const select = (event: string | undefined) => change({ event });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const clearFilters = () => change(noFilters);

  return (
    <Page
      title={t("events.title")}
      fill
      note={
        <FilterCount matched={list?.total} all={list?.stored} onClear={isFiltered ? clearFilters : undefined}>
          {list && t("events.stored", { count: list.total })}
        </FilterCount>
      }
      controls={sort === undefined && <PauseButton paused={reading.paused} onChange={reading.setPaused} />}
    >
      <div className={classes.filters}>
        <EventFilterBar filter={filter} onChange={change} />
      </div>
      <QueryFailure query={histogram} />
      <TimeHistogram label={t("events.overTime")} histogram={histogram.data} range={filter} onRange={change} />
      <SplitView
        title={openId === undefined ? undefined : t("events.inspector", { id: openId })}
        onClose={() => select(undefined)}
        inspector={
          open ? (
            <EventInspector event={open} onSubject={(chosen) => change({ subject: chosen })} />
          ) : fetched.data === null ? (
            <Notice kind="info">{t("events.gone", { id: openId ?? "" })}</Notice>
          ) : (
            <QueryFailure query={fetched} />
          )
        }
      >
        <QueryFailure query={query} />
        {list && events.length === 0 ? (
          <EventsEmpty isFiltered={isFiltered} onShowAll={clearFilters} />
        ) : (
          <DataTable
            label={t("events.table")}
            columns={columns}
            {...reading.table}
            rowKey={(event) => event.id}
            {...tableSort(sort, "-time", (next) => change({ sort: next }))}
            highlight={q}
            total={list?.total}
            selected={openId}
            onSelect={select}
            onNearEnd={() => void loadOlder()}
          />
        )}
        <FreshChip waiting={reading.waiting} onShow={reading.backToTop} />
      </SplitView>
    </Page>
  );
}

const noEvents: never[] = [];
const noFilters: EventFilter = {
  type: undefined,
  source: undefined,
  subject: undefined,
  q: undefined,
  since: undefined,
  until: undefined,
};
