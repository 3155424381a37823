import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Histogram } from "../../../server/contract/console/traffic/histogram.ts";
import type { RecordedSummary } from "../../../server/contract/console/traffic/requests.ts";
import { useChangeSearch, usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterCount } from "../../ui/table/filter-count.tsx";
import { FreshChip, PauseButton } from "../../ui/table/live-controls.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { Page } from "../../ui/page.tsx";
import { useShortcut } from "../../ui/keyboard/shortcuts.ts";
import { SplitView } from "../../ui/table/split-view.tsx";
import { tableSort } from "../../ui/table/table-sort.ts";
import { TimeHistogram } from "../../ui/table/time-histogram.tsx";
import { useReadingPosition } from "../../ui/table/use-reading-position.ts";
import { NewRequestForm } from "./new-request.tsx";
import { usePins } from "./pinned-requests.ts";
import { requestColumns } from "./request-columns.tsx";
import { RequestFilters } from "./request-filters.tsx";
import { useFoldedQueries } from "./fold-queries.ts";
import { isFiltered, noFilters } from "./request-filter.ts";
import { RequestInspector } from "./request-inspector.tsx";
import { RequestsEmpty } from "./requests-empty.tsx";
import { RequestsMenu } from "./requests-menu.tsx";
import type { FilterName, RequestsSearch } from "./requests-search.ts";
import { useOnlyClient } from "./use-only-client.ts";
import { usePinnedRows, useRecordedRequest, useRequestHistogram, useRequests } from "./use-requests.ts";
import { ViewSwitch } from "./view-switch.tsx";
import { Waterfall } from "./waterfall/waterfall.tsx";

const route = getRouteApi("/requests");

/** All requests to all services, live; the filters and the open request are in the address. */
export function RequestsPanel() {
  const { t } = useTranslation();
  const formats = useFormats();
  const search = route.useSearch();
  const navigate = usePageNavigate(route);
  const { onlyClient, search: narrowed } = useOnlyClient(search);
  const { list, query, loadOlder, scope, sort, dropped } = useRequests(narrowed);
  const histogram = useRequestHistogram(narrowed);
  const rows = list?.rows ?? noRequests;
  const reading = useReadingPosition(list?.rows, scope, sort !== undefined);
  const fold = useFoldedQueries(reading.table.rows, search.request, sort !== undefined);
  const isFolded = fold.rows.length < reading.table.rows.length;
  const pins = usePins();
  const pinned = usePinnedRows(pins.pins);
  // The pins' own functions are new with each change of the pins.
  // oxlint-disable-next-line react/exhaustive-deps -- see above
  const columns = useMemo(() => requestColumns(t, formats, pins, fold.toggle), [t, formats, pins.pins, fold.toggle]);
  const isNew = search.request === "new";
  const opened = useRecordedRequest(isNew ? undefined : search.request);
  const filtered = isFiltered(search);
  const matched = countOf(histogram.data);
  const clearFilters = () => change(noFilters);
  const showAll = () => {
    onlyClient.choose(false);
    clearFilters();
  };

  const change = useChangeSearch<RequestsSearch>(navigate);
  const setFilter = useCallback((name: FilterName, value: string | undefined) => change({ [name]: value }), [change]);
  const select = (request: string | undefined) => change({ request, ...(request === undefined && { tab: undefined }) });
  const begin = () => change({ request: "new", tab: undefined });
  useShortcut("n", t("requests.new"), begin);
  useShortcut("p", t("requests.pinOpen"), opened.data ? () => opened.data && pins.toggle(opened.data) : undefined);

  return (
    <Page
      title={t("requests.title")}
      fill
      note={
        <FilterCount matched={matched} all={list?.total} onClear={filtered ? clearFilters : undefined}>
          {list && t("requests.stored", { count: list.total })}
        </FilterCount>
      }
      controls={
        <>
          <ViewSwitch search={search} onChange={change} />
          {sort === undefined && <PauseButton paused={reading.paused} onChange={reading.setPaused} />}
          <RequestsMenu search={search} />
          <Button variant="filled" leftSection={<Plus size={14} aria-hidden />} onClick={begin}>
            {t("requests.new")}
          </Button>
        </>
      }
    >
      <RequestFilters search={search} onSet={setFilter} onlyClient={onlyClient} />
      <QueryFailure query={histogram} />
      <TimeHistogram label={t("requests.overTime")} histogram={histogram.data} range={search} onRange={change} />
      <SplitView
        title={isNew ? t("requests.new") : search.request && titleOf(opened.data, search.request, t)}
        onClose={() => select(undefined)}
        inspector={<Inspector search={search} opened={opened} pins={pins} onChange={change} />}
      >
        <QueryFailure query={query} />
        {dropped > 0 && <Notice kind="info">{t("requests.dropped", { count: dropped })}</Notice>}
        {list && rows.length === 0 && pinned.length === 0 ? (
          <RequestsEmpty filtered={filtered || (onlyClient.isOn && list.total > 0)} onShowAll={showAll} onNew={begin} />
        ) : search.view === "waterfall" ? (
          <Waterfall
            rows={reading.table.rows}
            by={search.group ?? "flow"}
            hasOlder={list?.complete === false}
            onOlder={() => void loadOlder()}
            selected={search.request}
            onSelect={select}
          />
        ) : (
          <DataTable
            label={t("requests.table")}
            columns={columns}
            {...reading.table}
            rows={fold.rows}
            rowKey={keyOf}
            pinned={pinned}
            {...tableSort(sort, "-time", (next) => change({ sort: next }))}
            highlight={search.q ?? search.path}
            total={list?.complete === false ? (!isFolded && matched) || "unknown" : undefined}
            selected={search.request}
            onSelect={select}
            onNearEnd={() => void loadOlder()}
          />
        )}
        <FreshChip waiting={reading.waiting} onShow={reading.backToTop} />
      </SplitView>
    </Page>
  );
}

/** The form of a new request, or the open request. */
function Inspector(props: {
  search: RequestsSearch;
  opened: ReturnType<typeof useRecordedRequest>;
  pins: ReturnType<typeof usePins>;
  onChange: (change: Partial<RequestsSearch>) => void;
}) {
  const { t } = useTranslation();
  const navigate = usePageNavigate(route);
  const { search, opened, pins, onChange } = props;
  const { data: request } = opened;
  /** Runs after an answer: another request that has been opened meanwhile stays open. */
  const showSent = (from: string, sent: Partial<RequestsSearch>) =>
    void navigate({ search: (before) => (before.request === from ? { ...before, ...sent } : before), replace: true });
  if (search.request === "new")
    return (
      <NewRequestForm
        onSent={(id) => showSent("new", { request: String(id) })}
        onCancel={() => onChange({ request: undefined })}
      />
    );
  if (request)
    return (
      <RequestInspector
        key={request.id}
        request={request}
        tab={search.tab}
        onTab={(tab) => onChange({ tab })}
        pinned={pins.isPinned(request)}
        onPin={() => pins.toggle(request)}
        onSent={(id) => showSent(String(request.id), { request: String(id), tab: "compare" })}
      />
    );
  if (request === null) return <Notice kind="info">{t("requests.gone", { id: search.request ?? "" })}</Notice>;
  return <QueryFailure query={opened} />;
}

const noRequests: never[] = [];
const countOf = (histogram: Histogram | undefined) => histogram?.bars.reduce((sum, { count }) => sum + count, 0);
const keyOf = (request: RecordedSummary) => String(request.id);

const titleOf = (
  request: RecordedSummary | null | undefined,
  id: string,
  t: (key: "requests.inspector", values: { id: string }) => string,
): string => (request ? `${request.method} ${request.path}` : t("requests.inspector", { id }));
