/**
 * The published operations that the simulator answers, with what each lacks: in English and in Chinese. An operation that
 * lacks nothing is exact; a test holds every class against the tests that there are.
 */
export interface MissingPart {
  readonly en: string;
  readonly zh: string;
}

export const simulatedOperations: Readonly<Record<string, readonly MissingPart[]>> = {
  "POST /v3/pay/transactions/jsapi": [],
  "POST /v3/pay/transactions/app": [],
  "POST /v3/pay/transactions/h5": [],
  "POST /v3/pay/transactions/native": [],
  "POST /v3/pay/transactions/codepay": [],
  "GET /v3/pay/transactions/out-trade-no/{out_trade_no}": [],
  "GET /v3/pay/transactions/id/{transaction_id}": [],
  "POST /v3/pay/transactions/out-trade-no/{out_trade_no}/close": [],
  "POST /v3/pay/transactions/out-trade-no/{out_trade_no}/reverse": [],
  "POST /v3/refund/domestic/refunds": [],
  "GET /v3/refund/domestic/refunds/{out_refund_no}": [],
  "POST /v3/refund/domestic/refunds/{refund_id}/apply-abnormal-refund": [],
  "GET /v3/bill/tradebill": [],
  "GET /v3/bill/fundflowbill": [],
  "GET /v3/billdownload/file": [],
  "GET /v3/certificates": [],
  "POST /pay/unifiedorder": [],
  "POST /pay/orderquery": [],
  "POST /pay/closeorder": [],
  "POST /pay/micropay": [],
  "POST /pay/refundquery": [],
  "POST /pay/downloadbill": [],
  "POST /pay/downloadfundflow": [],
  "POST /secapi/pay/refund": [],
  "POST /secapi/pay/reverse": [],
  "POST /sandboxnew/pay/downloadbill": [],
  "POST /sandboxnew/pay/getsignkey": [],
  "POST /sandboxnew/pay/micropay": [],
  "POST /sandboxnew/pay/orderquery": [],
  "POST /sandboxnew/pay/refund": [],
  "POST /sandboxnew/pay/refundquery": [],
  "POST /sandboxnew/pay/unifiedorder": [],
  "POST /xdc/apiv2getsignkey/sign/getsignkey": [],
  "POST /xdc/apiv2sandbox/pay/micropay": [],
  "POST /xdc/apiv2sandbox/pay/orderquery": [],
  "GET /sns/jscode2session": [],
  "GET /cgi-bin/token": [],
  "POST /cgi-bin/stable_token": [],
  "POST /wxa/business/getuserphonenumber": [],
  "GET /wxa/checksession": [],
  "GET /wxa/resetusersessionkey": [],
};
