import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./long-text.module.css";

/** Shows what a bounded view leaves out: so many characters of a text, or rows of a list. */
export function RestButton(props: { characters: number; onClick: () => void } | { rows: number; onClick: () => void }) {
  const { t } = useTranslation();
  const label =
    "rows" in props
      ? t("common.showMoreRows", { count: props.rows })
      : t("common.showMoreCharacters", { count: props.characters });
  return (
    <Button className={classes.rest} size="compact-xs" onClick={props.onClick}>
      {label}
    </Button>
  );
}
