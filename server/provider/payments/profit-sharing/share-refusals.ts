/** The platform's refusals of profit sharing, by their names in version 2 where it has one. */
import { PaymentRefusal } from "../ledger/ledger.ts";

export const notShareable = () => new PaymentRefusal("NOT_SHARE_ORDER", "非分账订单不支持分账");
export const noRelation = () =>
  new PaymentRefusal("INVALID_REQUEST", "分账接收方关系不存在，请检查参数中每个接收方的关系");
export const overRatio = () => new PaymentRefusal("RULELIMIT", "分账金额超出最大分账比例");
export const notEnough = () => new PaymentRefusal("NOTENOUGH", "分账金额不足");
export const otherShare = () => new PaymentRefusal("INVALID_REQUEST", "分账接收方与原请求不一致");
export const notReturnable = () => new PaymentRefusal("INVALID_REQUEST", "剩余可回退的金额不足");
export const noRecord = () => new PaymentRefusal("RESOURCE_NOT_EXISTS", "记录不存在");
