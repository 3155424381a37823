import { useTranslation } from "react-i18next";
import type { CollectionView } from "../../../server/contract/console/collection-endpoints.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import classes from "./collections.module.css";

/** The collections, each with its number of items; choosing one shows it. */
export function CollectionList(props: {
  collections: readonly CollectionView[];
  chosen: string | undefined;
  onChoose: (name: string) => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <div className={classes.list} role="group" aria-label={t("collections.title")}>
      {props.collections.map(({ name, items, about, path }) => (
        <button
          key={name}
          type="button"
          className={classes.collection}
          aria-pressed={name === props.chosen}
          title={about ?? path}
          onClick={() => props.onChoose(name)}
        >
          {name} <span className={classes.dim}>{formats.number(items)}</span>
        </button>
      ))}
    </div>
  );
}
