import { Button } from "@mantine/core";
import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SimOrder } from "../../../../server/contract/provider/sim-orders.ts";
import { CopyButton } from "../../../ui/code/copy-button.tsx";
import { QrCode } from "../../../ui/qr-code.tsx";
import classes from "../payments.module.css";

/** How a buyer reaches an unpaid order: the QR code, or the page for a mobile browser. */
export function PayBlock({ order }: { order: SimOrder }) {
  const { t } = useTranslation();
  if (order.trade_state !== "NOTPAY" || order.pay_page === undefined) return null;
  return (
    <div className={classes.pay}>
      {order.code_url !== undefined && (
        <QrCode value={order.code_url} label={t("payments.qr", { url: order.code_url })} size={112} />
      )}
      <div className={classes.payText}>
        <p>{t(order.code_url === undefined ? "payments.payByPage" : "payments.payByCode")}</p>
        {order.code_url !== undefined && (
          <div className={classes.wire}>
            {order.code_url} <CopyButton value={order.code_url} name="code_url" />
          </div>
        )}
        <Button
          component="a"
          href={order.pay_page}
          target="_blank"
          rel="noreferrer"
          leftSection={<ExternalLink size={13} aria-hidden />}
        >
          {t("payments.payPage")}
        </Button>
      </div>
    </div>
  );
}
