import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../i18n/formats-context.tsx";
import { useEventCounts } from "./use-activity.ts";
import classes from "./activity.module.css";

const maxVisible = 8;

/** The number of stored events of each source, with links to them. */
export function EventSources() {
  const { t } = useTranslation();
  const formats = useFormats();
  const sources = (useEventCounts().data?.sources ?? []).slice(0, maxVisible);
  const most = sources[0]?.count ?? 1;
  return (
    <article className={classes.card} aria-label={t("overview.eventSources")}>
      <header className={classes.head}>
        <h3>{t("overview.eventSources")}</h3>
      </header>
      <ul className={classes.sources}>
        {sources.map(({ source, count }) => (
          <li key={source}>
            <Link to="/events" search={{ source }} className={classes.source}>
              <span className={classes.bar} style={{ width: `${(count / most) * 100}%` }} aria-hidden />
              <span className={classes.sourceName}>{source}</span>
              <span>{formats.number(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </article>
  );
}
