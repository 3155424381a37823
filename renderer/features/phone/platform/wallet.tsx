import { Button } from "@mantine/core";
import { WalletCards } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { paySimOrder } from "../../../../server/contract/provider/sim-operations.ts";
import type { SimOrder } from "../../../../server/contract/provider/sim-orders.ts";
import { useApi } from "../../../api/use-api.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { QueryFailure } from "../../../ui/dialogs/query-failure.tsx";
import { AppFailure } from "../app/app-failure.tsx";
import { useTask } from "../app/use-task.ts";
import { Contract } from "./contract.tsx";
import { PaidOrders } from "./paid-orders.tsx";
import { WalletTransfer } from "./transfer.tsx";
import { useWallet } from "./use-wallet.ts";
import { WalletRow } from "./wallet-row.tsx";
import classes from "./platform.module.css";

/** The platform's pay service on the phone: payments, contracts, transfers, receipts and complaints of its person. */
export function Wallet({ user }: { user: string }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button leftSection={<WalletCards size={13} aria-hidden />} onClick={() => setOpened(true)}>
        {t("phone.wallet.title")}
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={t("phone.wallet.of", { user })}>
        <WalletContent user={user} />
      </Dialog>
    </>
  );
}

function WalletContent({ user }: { user: string }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const query = useWallet(user);
  const task = useTask();
  const act = (work: () => Promise<unknown>) =>
    task.run(async () => {
      await work();
      await query.refetch();
    });
  const wallet = query.data;
  const isEmpty =
    wallet && [wallet.toPay, wallet.contracts, wallet.transfers, wallet.paid].every((list) => list.length === 0);
  return (
    <div className={classes.wallet}>
      <QueryFailure query={query} />
      {task.failure && <AppFailure failure={task.failure} />}
      {isEmpty && <p className={classes.hint}>{t("phone.wallet.empty")}</p>}
      {wallet && wallet.toPay.length > 0 && (
        <Section title={t("phone.wallet.toPay")}>
          {wallet.toPay.map((order) => (
            <OrderToPay
              key={order.id}
              order={order}
              busy={task.busy}
              onPay={() => {
                const { out_trade_no, mch_id } = order;
                const named = { params: { out_trade_no }, query: { mch_id } };
                void act(() => call(paySimOrder, { ...named, body: { payer: wallet.openid } }));
              }}
            />
          ))}
        </Section>
      )}
      {wallet && wallet.contracts.length > 0 && (
        <Section title={t("phone.wallet.contracts")}>
          {wallet.contracts.map((contract) => (
            <Contract
              key={contract.contract_id}
              contract={contract}
              openid={wallet.openid}
              busy={task.busy}
              act={act}
            />
          ))}
        </Section>
      )}
      {wallet && wallet.transfers.length > 0 && (
        <Section title={t("phone.wallet.transfers")}>
          {wallet.transfers.map((transfer) => (
            <WalletTransfer key={transfer.transfer_bill_no} transfer={transfer} busy={task.busy} act={act} />
          ))}
        </Section>
      )}
      {wallet && wallet.paid.length > 0 && (
        <Section title={t("phone.wallet.paid")}>
          <PaidOrders paid={wallet.paid} busy={task.busy} act={act} />
        </Section>
      )}
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul className={classes.rows}>{children}</ul>
    </section>
  );
}

function OrderToPay({ order, busy, onPay }: { order: SimOrder; busy: boolean; onPay: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const merchant = order.sub_mch_id ?? order.mch_id;
  return (
    <WalletRow title={order.description} note={`${formats.money(order.total)} · ${merchant}`}>
      <Button variant="filled" disabled={busy} onClick={onPay}>
        {t("phone.pay")}
      </Button>
    </WalletRow>
  );
}
