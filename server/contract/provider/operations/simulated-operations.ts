/**
 * The published operations that the simulator answers. Each lists its missing parts in English and in Chinese. An
 * operation without missing parts is exact. A test compares the classes with the existing tests.
 */
export interface MissingPart {
  readonly en: string;
  readonly zh: string;
}

const identity: MissingPart = {
  en: "ignores payer.identity",
  zh: "忽略 payer.identity（实名）",
};
const subsidy: MissingPart = { en: "ignores subsidy_info", zh: "忽略 subsidy_info（微信分付）" };
const subsidyAmount: MissingPart = {
  en: "ignores subsidy_amount",
  zh: "忽略 subsidy_amount",
};
const billTypes: MissingPart = {
  en: "supports only bill_type ALL, SUCCESS and REFUND",
  zh: "bill_type 只支持 ALL、SUCCESS 和 REFUND",
};
const algorithms: MissingPart = {
  en: "returns an empty list for algorithm_type SM2",
  zh: "algorithm_type 为 SM2 时返回空列表",
};
const oneClient: MissingPart = {
  en: "tested with only one client library",
  zh: "只用一种客户端库测试过",
};
const compared: MissingPart = {
  en: "fields are not checked against a published description",
  zh: "字段尚未对照公开的接口描述逐一核对",
};
const images: MissingPart = { en: "ignores images and links", zh: "忽略图片和跳转链接" };
const noRefunds: MissingPart = { en: "does not list refunds and images", zh: "列表不含退款和图片" };
const combinedKey: MissingPart = {
  en: "ignores the order_key of the combined order",
  zh: "忽略合单的 order_key",
};
const pendingSettlement: MissingPart = {
  en: "never returns order_state 6",
  zh: "从不返回 order_state 6（资金待结算）",
};
const receiptDays: MissingPart = {
  en: "confirms receipt after a number of days that Hearth chose",
  zh: "自动确认收货的天数由 Hearth 自定",
};

const shareCodes: MissingPart = {
  en: "own error codes: only NOT_SHARE_ORDER and NOTENOUGH",
  zh: "专有错误码中只返回 NOT_SHARE_ORDER 和 NOTENOUGH",
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
  "POST /v3/profitsharing/receivers/add": [],
  "POST /v3/profitsharing/receivers/delete": [],
  "POST /v3/profitsharing/orders": [],
  "POST /v3/profitsharing/orders/unfreeze": [],
  "GET /v3/profitsharing/orders/{out_order_no}": [],
  "GET /v3/profitsharing/transactions/{transaction_id}/amounts": [],
  "POST /v3/profitsharing/return-orders": [],
  "GET /v3/profitsharing/return-orders/{out_return_no}": [],
  "POST /v3/fund-app/mch-transfer/transfer-bills": [],
  "GET /v3/fund-app/mch-transfer/transfer-bills/out-bill-no/{out_bill_no}": [],
  "GET /v3/fund-app/mch-transfer/transfer-bills/transfer-bill-no/{transfer_bill_no}": [],
  "POST /v3/fund-app/mch-transfer/transfer-bills/out-bill-no/{out_bill_no}/cancel": [],
  "POST /v3/fund-app/mch-transfer/elecsign/out-bill-no": [],
  "GET /v3/fund-app/mch-transfer/elecsign/out-bill-no/{out_bill_no}": [],
  "POST /v3/fund-app/mch-transfer/elecsign/transfer-bill-no": [],
  "GET /v3/fund-app/mch-transfer/elecsign/transfer-bill-no/{transfer_bill_no}": [],
  "GET /v3/merchant-service/complaints-v2": [],
  "GET /v3/merchant-service/complaints-v2/{complaint_id}": [],
  "GET /v3/merchant-service/complaints-v2/{complaint_id}/negotiation-historys": [noRefunds],
  "POST /v3/merchant-service/complaints-v2/{complaint_id}/response": [images],
  "POST /v3/merchant-service/complaints-v2/{complaint_id}/complete": [],
  "POST /v3/merchant-service/complaints-v2/{complaint_id}/update-refund-progress": [images],
  "POST /v3/merchant-service/images/upload": [],
  "GET /v3/merchant-service/images/{media_id}": [oneClient],
  "POST /v3/merchant/media/upload": [],
  "POST /v3/merchant/media/video_upload": [],
  "POST /v3/merchant-service/complaint-notifications": [],
  "GET /v3/merchant-service/complaint-notifications": [],
  "PUT /v3/merchant-service/complaint-notifications": [],
  "DELETE /v3/merchant-service/complaint-notifications": [],
  "POST /pay/unifiedorder": [compared],
  "POST /pay/orderquery": [compared],
  "POST /pay/closeorder": [compared],
  "POST /pay/micropay": [compared],
  "POST /pay/refundquery": [compared],
  "POST /pay/downloadbill": [compared],
  "POST /pay/downloadfundflow": [compared],
  "POST /secapi/pay/refund": [compared],
  "POST /secapi/pay/reverse": [compared],
  "POST /pay/profitsharingaddreceiver": [compared, shareCodes],
  "POST /pay/profitsharingremovereceiver": [compared, shareCodes],
  "POST /secapi/pay/profitsharing": [compared, shareCodes],
  "POST /secapi/pay/multiprofitsharing": [compared, shareCodes],
  "POST /secapi/pay/profitsharingfinish": [compared, shareCodes],
  "POST /pay/profitsharingquery": [compared, shareCodes],
  "POST /pay/profitsharingorderamountquery": [compared, shareCodes],
  "POST /secapi/pay/profitsharingreturn": [compared, shareCodes],
  "POST /pay/profitsharingreturnquery": [compared, shareCodes],
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
  "POST /wxa/sec/order/upload_shipping_info": [compared, receiptDays],
  "POST /wxa/sec/order/upload_combined_shipping_info": [compared, combinedKey],
  "POST /wxa/sec/order/get_order": [compared, pendingSettlement],
  "POST /wxa/sec/order/get_order_list": [compared, pendingSettlement],
  "POST /wxa/sec/order/notify_confirm_receive": [compared],
  "POST /wxa/sec/order/set_msg_jump_path": [compared],
  "POST /wxa/sec/order/is_trade_managed": [compared],
  "POST /wxa/sec/order/is_trade_management_confirmation_completed": [compared],
};
