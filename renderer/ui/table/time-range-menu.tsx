import { Button, Popover, TextInput } from "@mantine/core";
import { Clock, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../i18n/formats-context.tsx";
import classes from "./time-range-menu.module.css";

/** ISO 8601; an absent end is open. */
export interface TimeRange {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const minuteMs = 60_000;
const spans = [5, 15, 60, 1_440];
const everything: TimeRange = { since: undefined, until: undefined };

/** Shows and takes the time that a list is narrowed to. */
export function TimeRangeMenu({ range, onRange }: { range: TimeRange; onRange: (range: TimeRange) => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [opened, setOpened] = useState(false);
  const isOpen = range.since === undefined && range.until === undefined;
  const at = (iso: string | undefined) => (iso === undefined ? "…" : formats.moment(Date.parse(iso)));
  const choose = (next: TimeRange) => {
    setOpened(false);
    onRange(next);
  };
  return (
    <span className={classes.menu}>
      <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus withinPortal>
        <Popover.Target>
          <Button
            size="compact-xs"
            variant={isOpen ? "subtle" : "light"}
            leftSection={<Clock size={12} aria-hidden />}
            aria-haspopup="dialog"
            onClick={() => setOpened(!opened)}
          >
            {isOpen ? t("histogram.allTimes") : `${at(range.since)} – ${at(range.until)}`}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <RangeForm key={`${range.since ?? ""} ${range.until ?? ""}`} range={range} onRange={choose} />
        </Popover.Dropdown>
      </Popover>
      {!isOpen && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={t("histogram.showAll")}
          onClick={() => onRange(everything)}
        >
          <X size={12} aria-hidden />
        </Button>
      )}
    </span>
  );
}

function RangeForm({ range, onRange }: { range: TimeRange; onRange: (range: TimeRange) => void }) {
  const { t } = useTranslation();
  const [since, setSince] = useState(localTime(range.since));
  const [until, setUntil] = useState(localTime(range.until));
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        onRange({ since: isoTime(since), until: isoTime(until) });
      }}
    >
      <div className={classes.spans}>
        {spans.map((minutes) => (
          <Button
            key={minutes}
            size="compact-xs"
            onClick={() =>
              onRange({ since: new Date(Date.now() - minutes * minuteMs).toISOString(), until: undefined })
            }
          >
            {minutes < 60 ? t("histogram.minutes", { count: minutes }) : t("histogram.hours", { count: minutes / 60 })}
          </Button>
        ))}
      </div>
      <TextInput
        type="datetime-local"
        step={1}
        label={t("histogram.from")}
        value={since}
        onChange={(change) => setSince(change.currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        step={1}
        label={t("histogram.to")}
        value={until}
        min={since}
        onChange={(change) => setUntil(change.currentTarget.value)}
      />
      <div className={classes.actions}>
        <Button onClick={() => onRange(everything)}>{t("histogram.showAll")}</Button>
        <Button type="submit" variant="filled">
          {t("histogram.apply")}
        </Button>
      </div>
    </form>
  );
}

/** As the field takes it: to the second, in the browser's time zone. */
function localTime(iso: string | undefined): string {
  if (iso === undefined) return "";
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * minuteMs).toISOString().slice(0, 19);
}

const isoTime = (local: string): string | undefined => (local === "" ? undefined : new Date(local).toISOString());
