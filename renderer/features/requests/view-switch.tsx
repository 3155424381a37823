import { useTranslation } from "react-i18next";
import { Segmented } from "../../ui/forms/segmented.tsx";
import type { RequestsSearch } from "./requests-search.ts";

/** Switches between the table and the waterfall, and what the waterfall is grouped by. */
export function ViewSwitch(props: {
  search: RequestsSearch;
  onChange: (change: Pick<RequestsSearch, "view" | "group">) => void;
}) {
  const { t } = useTranslation();
  const { search, onChange } = props;
  const view = search.view === "waterfall" ? (search.group ?? "flow") : "table";
  return (
    <Segmented
      label={t("requests.view.label")}
      value={view}
      choices={(["table", "flow", "user"] as const).map((value) => ({ value, label: t(`requests.view.${value}`) }))}
      onChange={(value) =>
        onChange({
          view: value === "table" ? undefined : "waterfall",
          group: value === "user" ? "user" : undefined,
        })
      }
    />
  );
}
