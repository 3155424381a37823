import { ActionIcon, Button, Checkbox, Popover } from "@mantine/core";
import { Columns3Cog } from "lucide-react";
import { useTranslation } from "react-i18next";
import { NumberField } from "../forms/number-field.tsx";
import { narrowestColumn, type Column, type TableColumns } from "./table-columns.ts";
import classes from "./columns-menu.module.css";

const step = 16;

/** Shows and hides a table's columns and sets their widths, also by keyboard. */
export function ColumnsMenu<Row>(props: { columns: readonly Column<Row>[]; table: TableColumns<Row> }) {
  const { t } = useTranslation();
  const { columns, table } = props;
  return (
    <div className={classes.place}>
      <Popover position="bottom-end" trapFocus returnFocus>
        <Popover.Target>
          <ActionIcon size={26} aria-label={t("common.columns")}>
            <Columns3Cog size={14} aria-hidden />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          <ul className={classes.list}>
            {columns.map(({ key, header }) => (
              <li key={key}>
                <Checkbox
                  label={header}
                  checked={table.isShown(key)}
                  disabled={table.displayed.length === 1 && table.isShown(key)}
                  onChange={(change) => table.show(key, change.currentTarget.checked)}
                />
                <NumberField
                  className={classes.width ?? ""}
                  aria-label={t("common.widthOf", { name: header })}
                  placeholder={t("common.automatic")}
                  suffix=" px"
                  min={narrowestColumn}
                  step={step}
                  startValue={160}
                  clampBehavior="blur"
                  value={table.widthOf(key)}
                  onChange={(value) => table.setWidth(key, value)}
                />
              </li>
            ))}
          </ul>
          <div className={classes.foot}>
            <span>{t("common.columnsHint")}</span>
            <Button size="compact-xs" disabled={!table.isChanged} onClick={table.reset}>
              {t("common.reset")}
            </Button>
          </div>
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}
