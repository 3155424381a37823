import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import {
  confirmSimTransfer,
  failSimTransfer,
  type SimTransfer,
} from "../../../../server/contract/provider/transfers/sim-transfers.ts";
import { useApi } from "../../../api/use-api.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { Badge } from "../../../ui/marks/badge.tsx";
import { WalletRow } from "./wallet-row.tsx";

/** A transfer to the person, who accepts or refuses it. */
export function WalletTransfer(props: {
  transfer: SimTransfer;
  busy: boolean;
  act: (work: () => Promise<unknown>) => unknown;
}) {
  const { t } = useTranslation();
  const { call } = useApi();
  const formats = useFormats();
  const { transfer, busy, act } = props;
  const params = { transfer_bill_no: transfer.transfer_bill_no };
  return (
    <WalletRow title={transfer.remark} note={`${formats.money(transfer.amount)} · ${transfer.mch_id}`}>
      {transfer.state === "WAIT_USER_CONFIRM" ? (
        <>
          <Button
            disabled={busy}
            title={t("phone.wallet.refuseHint")}
            onClick={() => void act(() => call(failSimTransfer, { params, body: { reason: "OVERDUE_CLOSE" } }))}
          >
            {t("phone.wallet.refuse")}
          </Button>
          <Button variant="filled" disabled={busy} onClick={() => void act(() => call(confirmSimTransfer, { params }))}>
            {t("phone.wallet.accept")}
          </Button>
        </>
      ) : (
        <Badge tone={tones[transfer.state] ?? "neutral"}>{transfer.state}</Badge>
      )}
    </WalletRow>
  );
}

const tones = { TRANSFERING: "busy", SUCCESS: "up", FAIL: "down" } as Partial<
  Record<SimTransfer["state"], "busy" | "up" | "down">
>;
