import { TextInput, Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./uploads.module.css";

/** The category word of each file. */
export function CategoryField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation();
  return (
    <Tooltip label={t("uploads.categoryHint")}>
      <label className={classes.category}>
        {t("uploads.category")}
        <TextInput value={value} w={140} onChange={(change) => onChange(change.currentTarget.value)} />
      </label>
    </Tooltip>
  );
}
