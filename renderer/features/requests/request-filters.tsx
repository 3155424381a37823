import { ActionIcon, NativeSelect, Switch, TextInput } from "@mantine/core";
import { X } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { requestServiceSchema } from "../../../server/contract/console/traffic/requests.ts";
import { withPresent } from "../../ui/forms/with-present.ts";
import { FilterBar } from "../../ui/table/filter-bar.tsx";
import { useSettledText } from "../../ui/table/use-settled-text.ts";
import type { FilterName, RequestsSearch } from "./requests-search.ts";
import type { OnlyClient } from "./use-only-client.ts";
import classes from "./requests.module.css";

type Set = (name: FilterName, value: string | undefined) => void;

/** Conditions that come from links. */
const chips = ["session", "uid", "sender", "flow", "trace"] as const;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const statusClasses = ["2xx", "3xx", "4xx", "5xx"];

/** The list's filters; all of them are in the address. Memoized, because the list changes far more often. */
export const RequestFilters = memo(function RequestFilters(props: {
  search: RequestsSearch;
  onSet: Set;
  onlyClient: OnlyClient;
}) {
  const { search, onSet } = props;
  const { t } = useTranslation();
  const select = (name: FilterName) => ({
    value: search[name] ?? "",
    onChange: (change: { currentTarget: HTMLSelectElement }) => onSet(name, change.currentTarget.value || undefined),
  });
  return (
    <div className={classes.filters}>
      <FilterBar label={t("requests.search")} text={search.q} onText={(text) => onSet("q", text)}>
        <PathField path={search.path} onPath={(path) => onSet("path", path)} />
        <NativeSelect
          aria-label={t("requests.service")}
          {...select("service")}
          data={[{ value: "", label: t("requests.allServices") }, ...requestServiceSchema.options]}
        />
        <NativeSelect
          aria-label={t("requests.method")}
          {...select("method")}
          data={[{ value: "", label: t("requests.allMethods") }, ...withPresent(methods, search.method)]}
        />
        <NativeSelect
          aria-label={t("requests.status")}
          {...select("status")}
          data={[
            { value: "", label: t("requests.allStatuses") },
            ...withPresent(["failed", ...statusClasses, "none"], search.status).map((value) => ({
              value,
              label: value === "failed" ? t("requests.failed") : value === "none" ? t("requests.noAnswer") : value,
            })),
          ]}
        />
        <Switch
          size="xs"
          label={t("requests.onlyClient")}
          checked={props.onlyClient.isOn}
          onChange={(change) => {
            props.onlyClient.choose(change.currentTarget.checked);
            onSet("sender", undefined);
          }}
        />
        {chips.map(
          (name) =>
            search[name] !== undefined &&
            search[name] !== "client" && (
              <span key={name} className={classes.chip}>
                {t(`requests.only.${name}`, { id: search[name] })}
                <ActionIcon size={18} aria-label={t("requests.dropFilter")} onClick={() => onSet(name, undefined)}>
                  <X size={11} aria-hidden />
                </ActionIcon>
              </span>
            ),
        )}
      </FilterBar>
    </div>
  );
});

function PathField({ path, onPath }: { path: string | undefined; onPath: (path: string | undefined) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useSettledText(path, onPath);
  return (
    <TextInput
      className={classes.pathField}
      aria-label={t("requests.pathFilter")}
      placeholder="/api/**"
      value={typed}
      onChange={(change) => setTyped(change.currentTarget.value)}
    />
  );
}
