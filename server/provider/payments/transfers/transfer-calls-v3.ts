/** The calls of transfers that the user confirms. */
import { createHash } from "node:crypto";
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import type { Keys } from "../keys/keys.ts";
import { PaymentRefusal } from "../ledger/ledger.ts";
import type { BillFiles } from "../v3/bill-files-v3.ts";
import { createDecryptField } from "../v3/decrypt-field-v3.ts";
import { checkApp } from "../v3/order-request-v3.ts";
import { readAs, readBodyV3 } from "../v3/requests-v3.ts";
import type { PreparedCall, RequestV3, RouteV3 } from "../v3/route-v3.ts";
import type { MerchantTransfers } from "./merchant-transfers.ts";
import { transferReceipt } from "./transfer-receipt.ts";
import { outBillNumber, transferBillNumber, transferBody } from "./transfer-requests-v3.ts";
import type { TransferRow } from "./transfer-tables.ts";

interface Deps {
  readonly keys: Pick<Keys, "platformKey">;
  readonly transfers: MerchantTransfers;
  readonly billFiles: Pick<BillFiles, "keep">;
  /** Unix time in ms. */
  readonly now: () => number;
}

const root = "/v3/fund-app/mch-transfer";
/** How long the address of a receipt is valid. */
const receiptMs = 10 * 60_000;

/** The two numbers by which a transfer is named, with the end of the address that has it. */
const namings: readonly { readonly end: string; readonly keyOf: (params: unknown, place: Place) => Named }[] = [
  {
    end: "out-bill-no",
    keyOf: (params, place) => ({ outBillNo: readAs(outBillNumber, params, place).out_bill_no }),
  },
  {
    end: "transfer-bill-no",
    keyOf: (params, place) => ({ transferBillNo: readAs(transferBillNumber, params, place).transfer_bill_no }),
  },
];
type Place = "uri_template" | "body";
type Named = { readonly outBillNo: string } | { readonly transferBillNo: string };

const parameterOf = (end: string) => `{${end.replaceAll("-", "_")}}`;
const failReason = ({ fail_reason }: TransferRow) => (fail_reason === null ? {} : { fail_reason });

function create({ keys, transfers }: Deps): RouteV3 {
  const decrypted = createDecryptField(keys);
  return {
    name: "transfer",
    method: "POST",
    path: `${root}/transfer-bills`,
    prepare({ merchant, body: text, serial, from }: RequestV3): PreparedCall<TransferRow> {
      const body = readAs(transferBody, readBodyV3(text), "body");
      const { transfer_scene_id, transfer_scene_report_infos, user_recv_perception, user_recv_style } = body;
      return {
        async perform() {
          checkApp(merchant, body.appid);
          return transfers.transfers.create({
            mch_id: merchant.mchId,
            app_id: body.appid,
            out_bill_no: body.out_bill_no,
            openid: body.openid,
            user_name: body.user_name === undefined ? "" : await decrypted("user_name", body.user_name, serial),
            amount: body.transfer_amount,
            remark: body.transfer_remark,
            details: JSON.stringify({
              ...{ transfer_scene_id, transfer_scene_report_infos, user_recv_perception, user_recv_style },
            }),
            notify_url: body.notify_url ?? null,
            notify_from: from ?? null,
          });
        },
        view: (transfer) => ({
          out_bill_no: transfer.out_bill_no,
          transfer_bill_no: transfer.transfer_bill_no,
          create_time: offsetTime(transfer.created_at),
          state: transfer.state,
          ...failReason(transfer),
          ...(transfer.state === "WAIT_USER_CONFIRM" && { package_info: transfer.package_info }),
        }),
      };
    },
  };
}

const queries = ({ transfers }: Deps): RouteV3[] =>
  namings.map(({ end, keyOf }) => ({
    name: "transferquery",
    method: "GET",
    path: `${root}/transfer-bills/${end}/${parameterOf(end)}`,
    prepare({ merchant: { mchId }, params }): PreparedCall<TransferRow> {
      const key = keyOf(params, "uri_template");
      return {
        perform: () => transfers.get({ mchId, ...key }),
        view: (transfer) => ({
          mch_id: transfer.mch_id,
          out_bill_no: transfer.out_bill_no,
          transfer_bill_no: transfer.transfer_bill_no,
          appid: transfer.app_id,
          state: transfer.state,
          transfer_amount: transfer.amount,
          transfer_remark: transfer.remark,
          ...failReason(transfer),
          openid: transfer.openid,
          create_time: offsetTime(transfer.created_at),
          update_time: offsetTime(transfer.updated_at),
        }),
      };
    },
  }));

const cancel = ({ transfers }: Deps): RouteV3 => ({
  name: "transfercancel",
  method: "POST",
  path: `${root}/transfer-bills/out-bill-no/{out_bill_no}/cancel`,
  mayLackBody: true,
  prepare({ merchant: { mchId }, params }): PreparedCall<TransferRow> {
    const { out_bill_no: outBillNo } = readAs(outBillNumber, params, "uri_template");
    return {
      async perform() {
        await transfers.due.settle();
        return transfers.transfers.cancel({ mchId, outBillNo });
      },
      view: (transfer) => ({
        out_bill_no: transfer.out_bill_no,
        transfer_bill_no: transfer.transfer_bill_no,
        state: transfer.state,
        update_time: offsetTime(transfer.updated_at),
      }),
    };
  },
});

const askReceipts = ({ transfers }: Deps): RouteV3[] =>
  namings.map(({ end, keyOf }) => ({
    name: "transferreceipt",
    method: "POST",
    path: `${root}/elecsign/${end}`,
    prepare({ merchant: { mchId }, body }): PreparedCall<TransferRow> {
      const key = keyOf(readBodyV3(body), "body");
      return {
        async perform() {
          await transfers.due.settle();
          return transfers.transfers.askReceipt({ mchId, ...key });
        },
        view: ({ receipt_at }) => ({ state: "GENERATING", create_time: offsetTime(receipt_at ?? 0) }),
      };
    },
  }));

function queryReceipts({ transfers, billFiles, now }: Deps): RouteV3[] {
  /** The receipt, once it is ready. */
  function file(transfer: TransferRow, origin: string) {
    const bytes = transferReceipt(transfer);
    const token = billFiles.keep(transfer.mch_id, bytes, receiptMs);
    return {
      hash_type: "SHA256",
      hash_value: createHash("sha256").update(bytes).digest("hex").toUpperCase(),
      download_url: `${origin}/v3/transferbilldownload/elecvoucherfile?token=${token}`,
    };
  }

  return namings.map(({ end, keyOf }) => ({
    name: "transferreceipt",
    method: "GET",
    path: `${root}/elecsign/${end}/${parameterOf(end)}`,
    prepare({ merchant: { mchId }, params, origin }): PreparedCall<TransferRow & { readonly readyAt: number }> {
      const key = keyOf(params, "uri_template");
      return {
        async perform() {
          const transfer = await transfers.get({ mchId, ...key });
          const readyAt = transfers.transfers.receiptReadyAt(transfer);
          if (readyAt === undefined) throw new PaymentRefusal("NOT_FOUND", "记录不存在");
          return { ...transfer, readyAt };
        },
        view: ({ readyAt, ...transfer }) => {
          const isReady = readyAt <= now();
          const create_time = offsetTime(transfer.receipt_at ?? 0);
          return {
            state: isReady ? "FINISHED" : "GENERATING",
            create_time,
            update_time: isReady ? offsetTime(readyAt) : create_time,
            ...(isReady && file(transfer, origin)),
          };
        },
      };
    },
  }));
}

export const transferCallsV3 = (deps: Deps): readonly RouteV3[] => [
  create(deps),
  ...queries(deps),
  cancel(deps),
  ...askReceipts(deps),
  ...queryReceipts(deps),
];
