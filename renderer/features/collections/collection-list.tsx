import { Button } from "@mantine/core";
import { Braces, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { CollectionView } from "../../../server/contract/console/data/collection-endpoints.ts";
import { appOrigin } from "../../api/http/app-origin.ts";
import { useOverview } from "../../api/queries/use-overview.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { CopyButton } from "../../ui/code/copy-button.tsx";
import classes from "./collections.module.css";

/** The collections, each with its number of items; choosing one shows it. */
export function CollectionList(props: {
  collections: readonly CollectionView[];
  chosen: string | undefined;
  onChoose: (name: string) => void;
  onNew: () => void;
  /** Edits the schema of the chosen one, if a file defines it. */
  onSchema: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { app = appOrigin } = useOverview().data?.addresses ?? {};
  const chosen = props.collections.find(({ name }) => name === props.chosen);
  const address = `${app}${chosen?.path ?? ""}`;
  return (
    <div className={classes.collections}>
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
      <Button variant="subtle" leftSection={<Plus size={13} aria-hidden />} onClick={props.onNew}>
        {t("collections.newCollection")}
      </Button>
      {chosen && (
        <span className={classes.address}>
          <code>{chosen.path}</code>
          <CopyButton value={address} name={t("collections.address")} />
          <code>curl</code>
          <CopyButton value={`curl ${address}`} name={t("collections.curl")} />
        </span>
      )}
      {props.onSchema && (
        <Button variant="subtle" leftSection={<Braces size={13} aria-hidden />} onClick={props.onSchema}>
          {t("collections.editSchema")}
        </Button>
      )}
    </div>
  );
}
