import { useTranslation } from "react-i18next";
import { isObject } from "../../../../server/contract/is-object.ts";
import classes from "./new-collection.module.css";

/** The fields of a schema in short: name, type, and whether it is required. */
export function SchemaSketch({ text }: { text: string }) {
  const { t } = useTranslation();
  const { properties, required } = JSON.parse(text) as { properties?: object; required?: string[] };
  return (
    <ul className={classes.sketch} aria-label={t("collections.sketch")}>
      {Object.entries(properties ?? {}).map(([name, field]) => (
        <li key={name}>
          <span className={classes.field}>{name}</span>
          <span className={classes.type}>{typeText(field)}</span>
          {required?.includes(name) === true && <span className={classes.required}>{t("collections.required")}</span>}
        </li>
      ))}
    </ul>
  );
}

function typeText(field: unknown): string {
  if (!isObject(field)) return "any";
  const { type, format } = field;
  const types = Array.isArray(type) ? type.join(" | ") : typeof type === "string" ? type : "any";
  return typeof format === "string" ? `${types} (${format})` : types;
}
