import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  answerSimComplaint,
  createSimComplaint,
  type SimComplaint,
} from "../../../../server/contract/provider/sim-complaints.ts";
import { confirmSimReceipt } from "../../../../server/contract/provider/sim-shipping.ts";
import { useApi } from "../../../api/use-api.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { Badge } from "../../../ui/marks/badge.tsx";
import type { PaidOrder } from "./use-wallet.ts";
import { WalletRow } from "./wallet-row.tsx";
import classes from "./platform.module.css";

/** The platform's numbers of an order's shipping. */
const shipped = 2;
const received = 3;

const tones = { PENDING: "down", PROCESSING: "busy", PROCESSED: "up" } as const;

type Act = (work: () => Promise<unknown>) => unknown;

/** Paid orders: the person confirms a receipt, complains, and talks with the merchant about a complaint. */
export function PaidOrders({ paid, busy, act }: { paid: readonly PaidOrder[]; busy: boolean; act: Act }) {
  /** The order about which the person writes. */
  const [writing, setWriting] = useState<number>();
  return paid.map((one) => (
    <Paid
      key={one.order.id}
      {...{ ...one, busy, act }}
      isWriting={writing === one.order.id}
      onWriting={(begins) => setWriting(begins ? one.order.id : undefined)}
    />
  ));
}

function Paid(
  props: PaidOrder & { busy: boolean; act: Act; isWriting: boolean; onWriting: (begins: boolean) => void },
) {
  const { t } = useTranslation();
  const { call } = useApi();
  const formats = useFormats();
  const { order, shipment, complaint, busy, act, isWriting, onWriting } = props;
  const { out_trade_no, mch_id } = order;
  const write = async (text: string) => {
    if (!complaint) await call(createSimComplaint, { body: { out_trade_no, mch_id, detail: text } });
    else {
      const { complaint_id, state } = complaint;
      await call(answerSimComplaint, { params: { complaint_id }, body: { text, again: state === "PROCESSED" } });
    }
    onWriting(false);
  };
  const verb = complaint === undefined ? "complain" : complaint.state === "PROCESSED" ? "complainAgain" : "answer";
  return (
    <WalletRow
      title={order.description}
      note={`${formats.money(order.total)} · ${order.sub_mch_id ?? mch_id}`}
      below={
        <>
          {complaint && <LatestWord complaint={complaint} />}
          {isWriting && <Message busy={busy} onSend={(text) => void act(() => write(text))} />}
        </>
      }
    >
      {shipment?.order_state === shipped && (
        <Button
          variant="filled"
          disabled={busy}
          onClick={() => void act(() => call(confirmSimReceipt, { params: { out_trade_no }, query: { mch_id } }))}
        >
          {t("phone.wallet.received")}
        </Button>
      )}
      {shipment !== undefined && [received, received + 1].includes(shipment.order_state) && (
        <Badge tone="up">{t("phone.wallet.isReceived")}</Badge>
      )}
      {complaint && <Badge tone={tones[complaint.state]}>{complaint.state}</Badge>}
      <Button
        variant="subtle"
        color="gray"
        disabled={busy}
        aria-expanded={isWriting}
        onClick={() => onWriting(!isWriting)}
      >
        {t(`phone.wallet.${verb}`)}
      </Button>
    </WalletRow>
  );
}

/** The latest message of either side. */
function LatestWord({ complaint }: { complaint: SimComplaint }) {
  const last = complaint.history.findLast(({ text }) => text !== "");
  return (
    last && (
      <p className={classes.word}>
        <b>{last.operator}</b> {last.text}
      </p>
    )
  );
}

function Message({ busy, onSend }: { busy: boolean; onSend: (text: string) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  return (
    <form
      className={classes.message}
      onSubmit={(event) => {
        event.preventDefault();
        onSend(text.trim());
      }}
    >
      <TextInput
        className={classes.address}
        aria-label={t("phone.wallet.message")}
        placeholder={t("phone.wallet.messageExample")}
        maxLength={300}
        autoFocus
        value={text}
        onChange={(change) => setText(change.currentTarget.value)}
      />
      <Button type="submit" disabled={busy || text.trim() === ""}>
        {t("phone.wallet.send")}
      </Button>
    </form>
  );
}
