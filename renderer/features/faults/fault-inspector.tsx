import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../i18n/formats-context.tsx";
import { useWireTexts } from "../../i18n/wire-texts.ts";
import { Fields } from "../../ui/forms/fields.tsx";
import { RawToggle } from "../../ui/code/raw-view.tsx";
import { faultFormOf, routeKind } from "./fault-kinds.ts";
import type { FaultRow } from "./fault-row.ts";
import classes from "./faults.module.css";

export function FaultInspector({ row, onRemove }: { row: FaultRow; onRemove: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const say = useWireTexts();
  const { input, hits, times } = row;
  const description = faultFormOf(row.origin === "route" ? routeKind : row.kind)?.description;
  const order = input.side === "sim" && "scope" in input.body ? input.body.scope.out_trade_no : undefined;
  return (
    <>
      <p className={classes.description}>{say(description ?? t("faults.routeDescription"))}</p>
      <Fields
        items={[
          {
            name: t("faults.hits"),
            value: times === undefined ? formats.number(hits) : `${formats.number(hits)} / ${formats.number(times)}`,
          },
          { name: t("faults.what"), value: row.what || "–", wire: true },
          {
            name: t("faults.scope"),
            value:
              order === undefined ? (
                row.scope || t("faults.everything")
              ) : (
                <Link to="/payments" search={{ order }}>
                  {order}
                </Link>
              ),
            wire: row.scope !== "",
          },
          ...(row.note === undefined ? [] : [{ name: t("faults.note"), value: row.note }]),
        ]}
      />
      <div>
        <Button leftSection={<Trash2 size={13} aria-hidden />} onClick={onRemove}>
          {t("faults.remove")}
        </Button>
      </div>
      <RawToggle value={input.body} name={t("faults.theFault")} />
    </>
  );
}
