import { useTranslation } from "react-i18next";
import classes from "./settings.module.css";

/** The page's sections, to go to each at once. `id`: of its heading. */
export function SettingsIndex({ sections }: { sections: readonly { id: string; label: string }[] }) {
  const { t } = useTranslation();
  const go = (id: string) => {
    const heading = document.getElementById(id);
    heading?.scrollIntoView({ block: "start" });
    // A keyboard goes on from there.
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  };
  return (
    <nav className={classes.index} aria-label={t("settings.index")}>
      <ul>
        {sections.map(({ id, label }) => (
          <li key={id}>
            <button type="button" onClick={() => go(id)}>
              {label}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
