/**
 * The published operations that the simulator answers, with what each lacks: in English and in Chinese. An operation that
 * lacks nothing is exact; a test holds every class against the tests that there are.
 */
export interface MissingPart {
  readonly en: string;
  readonly zh: string;
}

const identity: MissingPart = {
  en: "payer.identity (real-name payment) is ignored",
  zh: "payer.identity（实名支付）会被忽略",
};
const subsidy: MissingPart = { en: "subsidy_info (Fenfu) is ignored", zh: "subsidy_info（微信分付）会被忽略" };
const subsidyAmount: MissingPart = {
  en: "settle_info.subsidy_amount is ignored",
  zh: "settle_info.subsidy_amount 会被忽略",
};
const billTypes: MissingPart = {
  en: "bill_type takes ALL, SUCCESS and REFUND only",
  zh: "bill_type 只支持 ALL、SUCCESS 和 REFUND",
};
const algorithms: MissingPart = {
  en: "algorithm_type SM2 gives an empty list",
  zh: "algorithm_type 为 SM2 时返回空列表",
};
const oneClient: MissingPart = {
  en: "the tests take one client through it, not two",
  zh: "测试中只有一个客户端走完流程，而不是两个",
};
const compared: MissingPart = {
  en: "its fields are not compared with a published description",
  zh: "字段尚未与公开的接口描述逐一比对",
};

export const simulatedOperations: Readonly<Record<string, readonly MissingPart[]>> = {
  "POST /v3/pay/transactions/jsapi": [identity, subsidy],
  "POST /v3/pay/transactions/app": [identity, subsidy],
  "POST /v3/pay/transactions/h5": [identity],
  "POST /v3/pay/transactions/native": [identity],
  "POST /v3/pay/transactions/codepay": [],
  "GET /v3/pay/transactions/out-trade-no/{out_trade_no}": [],
  "GET /v3/pay/transactions/id/{transaction_id}": [],
  "POST /v3/pay/transactions/out-trade-no/{out_trade_no}/close": [],
  "POST /v3/pay/transactions/out-trade-no/{out_trade_no}/reverse": [],
  "POST /v3/pay/partner/transactions/jsapi": [identity, subsidy, subsidyAmount, oneClient],
  "POST /v3/pay/partner/transactions/app": [identity, subsidy, subsidyAmount, oneClient],
  "POST /v3/pay/partner/transactions/h5": [identity, subsidyAmount, oneClient],
  "POST /v3/pay/partner/transactions/native": [identity, subsidyAmount, oneClient],
  "GET /v3/pay/partner/transactions/out-trade-no/{out_trade_no}": [oneClient],
  "GET /v3/pay/partner/transactions/id/{transaction_id}": [oneClient],
  "POST /v3/pay/partner/transactions/out-trade-no/{out_trade_no}/close": [oneClient],
  "POST /v3/refund/domestic/refunds": [],
  "GET /v3/refund/domestic/refunds/{out_refund_no}": [],
  "POST /v3/refund/domestic/refunds/{refund_id}/apply-abnormal-refund": [oneClient],
  "GET /v3/bill/tradebill": [billTypes],
  "GET /v3/bill/fundflowbill": [],
  "GET /v3/billdownload/file": [],
  "GET /v3/certificates": [algorithms],
  "POST /pay/unifiedorder": [compared],
  "POST /pay/orderquery": [compared],
  "POST /pay/closeorder": [compared],
  "POST /pay/micropay": [compared],
  "POST /pay/refundquery": [compared],
  "POST /pay/downloadbill": [compared],
  "POST /pay/downloadfundflow": [compared],
  "POST /secapi/pay/refund": [compared],
  "POST /secapi/pay/reverse": [compared],
  "POST /sandboxnew/pay/downloadbill": [compared],
  "POST /sandboxnew/pay/getsignkey": [compared],
  "POST /sandboxnew/pay/micropay": [compared],
  "POST /sandboxnew/pay/orderquery": [compared],
  "POST /sandboxnew/pay/refundquery": [compared],
  "POST /sandboxnew/pay/unifiedorder": [compared],
  "POST /xdc/apiv2getsignkey/sign/getsignkey": [compared],
  "POST /xdc/apiv2sandbox/pay/micropay": [compared],
  "POST /xdc/apiv2sandbox/pay/orderquery": [compared],
  "GET /sns/jscode2session": [compared],
  "GET /cgi-bin/token": [compared],
  "POST /cgi-bin/stable_token": [compared],
  "POST /wxa/business/getuserphonenumber": [compared],
  "GET /wxa/checksession": [compared],
  "GET /wxa/resetusersessionkey": [compared],
  "POST /wxa/getwxacode": [compared],
  "POST /wxa/getwxacodeunlimit": [compared],
  "POST /cgi-bin/wxaapp/createwxaqrcode": [compared],
  "POST /wxa/generatescheme": [compared],
  "POST /wxa/generate_urllink": [compared],
  "POST /wxa/genwxashortlink": [compared],
  "POST /cgi-bin/message/subscribe/send": [compared],
  "POST /wxa/msg_sec_check": [compared],
  "POST /wxa/media_check_async": [compared],
};
