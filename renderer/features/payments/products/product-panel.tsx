import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useApi } from "../../../api/use-api.ts";
import { usePageNavigate } from "../../../api/address/use-page-navigate.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { RawToggle } from "../../../ui/code/raw-view.tsx";
import { Fields } from "../../../ui/forms/fields.tsx";
import { RelativeTime } from "../../../ui/marks/relative-time.tsx";
import { ShortId } from "../../../ui/marks/short-id.tsx";
import { ActionControl } from "../controls/control.tsx";
import { OutcomeList } from "../controls/outcome-list.tsx";
import { useActionsLog } from "../controls/use-actions-log.ts";
import { BuyerName } from "../list/buyer-name.tsx";
import { plainFields } from "../order/plain-fields.ts";
import type { ProductName } from "./product-names.ts";
import type { ProductEntry } from "./product.ts";
import { ProductParts } from "./product-parts.tsx";
import { products } from "./products.ts";
import { ProductState } from "./state-badge.tsx";
import { useRefreshProducts } from "./use-products.ts";
import classes from "../payments.module.css";

const route = getRouteApi("/payments");

/** An entry with its actions, its parts and its data, in the form of an order's panel. */
export function ProductPanel({ name, entry }: { name: ProductName; entry: ProductEntry }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const log = useActionsLog(useRefreshProducts());
  return (
    <div className={classes.inspector}>
      <EntryHead name={name} entry={entry} />
      {entry.actions.length > 0 && (
        <div className={classes.actions}>
          {entry.actions.map((action, at) => {
            const label = t(`payments.products.actions.${action.name}`);
            return (
              <ActionControl
                key={action.name}
                label={label}
                log={log}
                primary={at === 0}
                onRun={() => void log.run(label, async () => ({ kind: "state", state: await action.run(call) }))}
              />
            );
          })}
        </div>
      )}
      <OutcomeList entries={log.entries} />
      {entry.parts.length > 0 && <ProductParts title={t(`payments.products.parts.${name}`)} parts={entry.parts} />}
      <RawToggle value={entry.item} name={entry.number}>
        <Fields items={plainFields(entry.item)} />
      </RawToggle>
    </div>
  );
}

function EntryHead({ name, entry }: { name: ProductName; entry: ProductEntry }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const navigate = usePageNavigate(route);
  const { fen, openid, order, mchId } = entry;
  return (
    <div className={classes.headBlock}>
      <div className={classes.headTop}>
        {fen !== undefined && <span className={classes.headAmount}>{formats.money(fen)}</span>}
        <ProductState {...entry} />
        <span className={classes.dim}>
          <RelativeTime iso={entry.at} />
        </span>
      </div>
      <div className={classes.headLine}>
        <ShortId value={entry.number} name={products[name].numberField} />
        {openid !== undefined && <BuyerName row={{ openid }} className={classes.dim} />}
        {order !== undefined && (
          <button
            type="button"
            className={classes.link}
            onClick={() =>
              void navigate({ search: { side: "provider", order, ...(mchId !== undefined && { mch: mchId }) } })
            }
          >
            {t("payments.products.openOrder")}
          </button>
        )}
      </div>
    </div>
  );
}
