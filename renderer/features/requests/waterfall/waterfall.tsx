import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordedSummary } from "../../../../server/contract/console/traffic/requests.ts";
import { groupRequests, type GroupBy } from "./group-requests.ts";
import { WaterfallGroup } from "./waterfall-group.tsx";
import classes from "./waterfall.module.css";

/** Requests shown at first, and more with each click: a page of bars is for looking, not for scrolling through all. */
const step = 200;

/** The requests as bars of time, grouped by what the client did or by user; the newest group comes first. */
export function Waterfall(props: {
  rows: readonly RecordedSummary[];
  by: GroupBy;
  /** Whether older requests are stored that are not among the rows. */
  hasOlder: boolean;
  onOlder: () => void;
  selected: string | undefined;
  onSelect: (id: string | undefined) => void;
}) {
  const { t } = useTranslation();
  const { rows, by, selected, onSelect } = props;
  const [shown, setShown] = useState(step);
  const groups = useMemo(() => groupRequests(rows.slice(0, shown), by), [rows, shown, by]);
  const isMore = rows.length > shown || props.hasOlder;
  return (
    <div className={classes.waterfall} role="region" aria-label={t("requests.waterfall")} tabIndex={0}>
      {groups.map((group) => (
        <WaterfallGroup key={group.key} group={group} selected={selected} onSelect={onSelect} />
      ))}
      {isMore && (
        <Button
          className={classes.older ?? ""}
          onClick={() => {
            setShown(shown + step);
            if (rows.length < shown + step) props.onOlder();
          }}
        >
          {t("requests.older")}
        </Button>
      )}
    </div>
  );
}
