/** Decrypts the fields of a body that hold personal data. */
import { constants, privateDecrypt } from "node:crypto";
import type { Keys } from "../keys/keys.ts";
import { refusal } from "../ledger/refusals.ts";

export const createDecryptField =
  (keys: Pick<Keys, "platformKey">) =>
  /** @throws PaymentRefusal PARAM_ERROR if it was not encrypted to a key of the platform */
  async (field: string, text: string, serial: string | undefined): Promise<string> => {
    if (serial === undefined) throw refusal("PARAM_ERROR", "HTTP header缺少微信支付平台证书序列号(Wechatpay-Serial)");
    const key = await keys.platformKey(serial);
    if (!key) throw refusal("PARAM_ERROR", "平台证书序列号Wechatpay-Serial错误");
    try {
      const padding = constants.RSA_PKCS1_OAEP_PADDING;
      return privateDecrypt({ key, padding }, Buffer.from(text, "base64")).toString("utf8");
    } catch {
      throw refusal("PARAM_ERROR", `/${field}: must be encrypted with RSA-OAEP and the key of Wechatpay-Serial.`);
    }
  };
