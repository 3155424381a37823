import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { OperationClass } from "../../../server/contract/provider/operations/fidelity-schema.ts";
import {
  countClasses,
  allOperations,
  type PlatformOperation,
} from "../../../server/contract/provider/operations/published-operations.ts";
import { useChangeSearch, usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { isLanguage } from "../../i18n/languages.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Page } from "../../ui/page.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar } from "../../ui/table/filter-bar.tsx";
import { FilterCount } from "../../ui/table/filter-count.tsx";
import { SplitView } from "../../ui/table/split-view.tsx";
import type { FidelitySearch } from "./fidelity-search.ts";
import { operationColumns } from "./operation-columns.tsx";
import { OperationInspector } from "./operation-inspector.tsx";

const route = getRouteApi("/fidelity");
const keyOf = ({ method, path }: PlatformOperation) => `${method} ${path}`;
const counts = countClasses(allOperations);
/** Simulated ones first: they are few. */
const ordered = allOperations.toSorted(
  (a, b) => Number(a.class === "not_simulated") - Number(b.class === "not_simulated"),
);

/** All words of the search must be in the operation's address or product, in either language. */
function matches(operation: PlatformOperation, { q, class: name }: FidelitySearch): boolean {
  if (name !== undefined && operation.class !== name) return false;
  const text = [keyOf(operation), operation.product.en, operation.product.zh].join(" ").toLowerCase();
  return (q ?? "")
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The platform's published operations, and how far each is simulated. */
export function FidelityPanel() {
  const { t, i18n } = useTranslation();
  const language = isLanguage(i18n.language) ? i18n.language : "en";
  const search = route.useSearch();
  const go = useChangeSearch<FidelitySearch>(usePageNavigate(route));
  const columns = useMemo(() => operationColumns(t, language), [t, language]);
  const rows = useMemo(() => ordered.filter((operation) => matches(operation, search)), [search]);
  const clearFilters = () => go({ q: undefined, class: undefined });
  const open = allOperations.find((operation) => keyOf(operation) === search.operation);
  return (
    <Page
      title={t("fidelity.title")}
      fill
      note={
        <FilterCount
          matched={rows.length}
          all={allOperations.length}
          onClear={(search.q ?? search.class) === undefined ? undefined : clearFilters}
        >
          {t("fidelity.counts", { ...counts, total: allOperations.length })}
        </FilterCount>
      }
      controls={
        <FilterBar label={t("fidelity.search")} text={search.q} onText={(q) => go({ q })}>
          <ClassFilter value={search.class} onChange={(name) => go({ class: name })} />
        </FilterBar>
      }
    >
      <SplitView
        title={search.operation}
        onClose={() => go({ operation: undefined })}
        inspector={
          open ? (
            <OperationInspector operation={open} language={language} />
          ) : (
            <p>{t("fidelity.unknown", { operation: search.operation ?? "" })}</p>
          )
        }
      >
        {rows.length === 0 ? (
          <EmptyState icon={<ListChecks />} title={t("fidelity.none")} text={t("fidelity.noneHint")}>
            <Button onClick={clearFilters}>{t("fidelity.showAll")}</Button>
          </EmptyState>
        ) : (
          <DataTable
            label={t("fidelity.table")}
            columns={columns}
            rows={rows}
            highlight={search.q}
            rowKey={keyOf}
            selected={search.operation}
            onSelect={(operation) => go({ operation })}
          />
        )}
      </SplitView>
    </Page>
  );
}

function ClassFilter(props: {
  value: OperationClass | undefined;
  onChange: (value: OperationClass | undefined) => void;
}) {
  const { t } = useTranslation();
  const choices = (["all", "exact", "partial", "not_simulated"] as const).map((value) => ({
    value,
    label: value === "all" ? t("fidelity.all") : t(`fidelity.class.${value}`),
  }));
  return (
    <Segmented
      label={t("fidelity.className")}
      value={props.value ?? "all"}
      choices={choices}
      onChange={(value) => props.onChange(value === "all" ? undefined : value)}
    />
  );
}
