import { useTranslation } from "react-i18next";
import type { StoredOrderDetail } from "../../../../server/contract/app/payments.ts";
import { Fields } from "../../../ui/forms/fields.tsx";
import { RawToggle } from "../../../ui/code/raw-view.tsx";
import { plainFields } from "./plain-fields.ts";
import type { SimOrderDetail } from "./use-order.ts";
import classes from "../payments.module.css";

type Plain = Readonly<Record<string, unknown>>;

/** The stored data of each side. */
export function RecordTab(props: { merchant: StoredOrderDetail | null; provider: SimOrderDetail | null }) {
  const { t } = useTranslation();
  const { merchant, provider } = props;
  return (
    <RawToggle value={{ merchant, provider }} name={t("payments.order")}>
      <Half title={t("payments.side.merchant")} record={merchant} />
      <Half title={t("payments.side.provider")} record={provider?.order ?? null} />
    </RawToggle>
  );
}

function Half({ title, record }: { title: string; record: Plain | null }) {
  const { t } = useTranslation();
  return (
    <section className={classes.record} aria-label={title}>
      <h3>{title}</h3>
      {record ? <Fields items={plainFields(record)} /> : <p className={classes.dim}>{t("payments.notKnown")}</p>}
    </section>
  );
}
