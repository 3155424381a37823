import { useTranslation } from "react-i18next";
import { Segmented } from "../../../ui/forms/segmented.tsx";
import { HistoryList } from "./history-list.tsx";
import type { HistoryItem } from "./order-history.ts";
import type { PaymentsSearch } from "../payments-search.ts";
import classes from "./history.module.css";

type Half = PaymentsSearch["half"];

export function HistoryTab(props: { items: readonly HistoryItem[]; half: Half; onHalf: (half: Half) => void }) {
  const { t } = useTranslation();
  const { items, half } = props;
  return (
    <div className={classes.tab}>
      <div className={classes.filter}>
        <Segmented
          label={t("payments.halves")}
          value={half ?? "both"}
          choices={(["both", "merchant", "provider"] as const).map((value) => ({
            value,
            label: t(`payments.half.${value}`),
          }))}
          onChange={(value) => props.onHalf(value === "both" ? undefined : value)}
        />
      </div>
      <p className={classes.legend}>
        <code>return_code</code> {t("payments.word.return_code")} <code>result_code</code>{" "}
        {t("payments.word.result_code")} <code>trade_state</code> {t("payments.word.trade_state")}
      </p>
      <HistoryList items={half === undefined ? items : items.filter(({ side }) => side === half)} />
    </div>
  );
}
