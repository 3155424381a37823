import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import {
  refuseSimContract,
  signSimContract,
  terminateSimContract,
  type SimContract,
} from "../../../../server/contract/provider/papay/sim-contracts.ts";
import { useApi } from "../../../api/use-api.ts";
import { Badge } from "../../../ui/marks/badge.tsx";
import { WalletRow } from "./wallet-row.tsx";

interface Props {
  readonly contract: SimContract;
  /** Id of the person, who signs. */
  readonly openid: string;
  readonly busy: boolean;
  readonly act: (work: () => Promise<unknown>) => unknown;
}

const tones = { SIGNED: "up", TERMINATED: "neutral", REFUSED: "down" } as const;

/** A contract of deductions: the person signs or refuses it, and ends a signed one. */
export function Contract({ contract, openid, busy, act }: Props) {
  const { t } = useTranslation();
  const { call } = useApi();
  const { contract_id, out_contract_code, display_account, sub_mch_id, mch_id, state } = contract;
  const params = { contract_id };
  const signer = contract.openid === undefined ? { openid } : {};
  return (
    <WalletRow title={out_contract_code} note={`${display_account} · ${sub_mch_id ?? mch_id}`}>
      {state === "WAITING" ? (
        <>
          <Button disabled={busy} onClick={() => void act(() => call(refuseSimContract, { params }))}>
            {t("phone.wallet.refuseContract")}
          </Button>
          <Button
            variant="filled"
            disabled={busy}
            onClick={() => void act(() => call(signSimContract, { params, body: signer }))}
          >
            {t("phone.wallet.signContract")}
          </Button>
        </>
      ) : (
        <Badge tone={tones[state]}>{state}</Badge>
      )}
      {state === "SIGNED" && (
        <Button
          variant="subtle"
          color="gray"
          disabled={busy}
          onClick={() => void act(() => call(terminateSimContract, { params, body: {} }))}
        >
          {t("phone.wallet.endContract")}
        </Button>
      )}
    </WalletRow>
  );
}
