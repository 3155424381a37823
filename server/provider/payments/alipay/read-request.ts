/** Reads a request of Alipay's gateway and verifies its sender, in the gateway's order of checks. */
import type { IncomingMessage } from "node:http";
import { parseExactJson } from "../../../contract/exact-json.ts";
import { contentType, readPlainBytes } from "../../../http/formats/read-body.ts";
import { parseForm, type FormFields } from "../../../http/formats/parse-form.ts";
import { HttpError } from "../../../http/http-error.ts";
import { queryOf } from "../../../http/middleware.ts";
import { alipaySignText, isSignedAlipay, type AlipayParams } from "../../../payment-wire/sign-alipay.ts";
import { alipayAccount } from "./alipay-account.ts";
import type { AlipayOwnKeys } from "./alipay-keys.ts";
import { RefusalAlipay } from "./refusal-alipay.ts";

/** The maximum length of a body in bytes (our choice). */
const maxBodyBytes = 256 * 1024;

/** @throws RefusalAlipay isv.invalid-parameter for a name that is repeated */
export const singleValues = (fields: FormFields): AlipayParams =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (typeof value === "string") return [name, value];
      throw new RefusalAlipay("isv.invalid-parameter", `参数${name}重复`);
    }),
  );

/** @throws RefusalAlipay isv.invalid-parameter for a body that is no form, or a name that is repeated */
export async function readParams(req: IncomingMessage): Promise<{ params: AlipayParams; body: string }> {
  try {
    const { type } = contentType(req.headers["content-type"]);
    if (req.method === "POST" && type !== "application/x-www-form-urlencoded" && type !== "")
      throw new RefusalAlipay("isv.invalid-parameter", `参数无效，Hearth不支持${type}格式的请求`);
    const body = req.method === "POST" ? (await readPlainBytes(req, maxBodyBytes)).toString("utf8") : "";
    const fields = { ...parseForm(queryOf(req), "query"), ...parseForm(body, "body") };
    return { params: singleValues(fields), body };
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error;
    throw new RefusalAlipay("isv.invalid-parameter", `参数无效，${error.message}`);
  }
}

/** The parameters that every request has, with what the gateway says when one is missing. */
const required = [
  ["method", "isv.missing-method", "缺少方法名参数"],
  ["app_id", "isv.missing-app-id", "缺少appId参数"],
] as const;
const alsoRequired = [
  ["sign_type", "isv.missing-signature-type", "缺少签名类型参数"],
  ["sign", "isv.missing-signature", "缺少签名参数"],
  ["timestamp", "isv.missing-timestamp", "缺少时间戳参数"],
  ["version", "isv.missing-version", "缺少版本参数"],
] as const;

function checkPresent(params: AlipayParams, names: typeof required | typeof alsoRequired): void {
  const missing = names.find(([name]) => !params[name]);
  if (missing) throw new RefusalAlipay(missing[1], missing[2]);
}

/** What is refused before anybody is known, so that the reply is not signed. @throws RefusalAlipay */
export function checkAlipayApp(params: AlipayParams): void {
  checkPresent(params, required);
  if (params["app_id"] !== alipayAccount.appId) throw new RefusalAlipay("isv.invalid-app-id", "无效的AppID参数");
}

/** @throws RefusalAlipay */
export function checkAlipaySender(params: AlipayParams, own: AlipayOwnKeys): void {
  checkPresent(params, alsoRequired);
  if (params["sign_type"] !== "RSA2") throw new RefusalAlipay("isv.invalid-signature-type", "无效的签名类型");
  const charset = params["charset"]?.toLowerCase() ?? "utf-8";
  if (charset !== "utf-8" && charset !== "utf8")
    throw new RefusalAlipay("isv.invalid-charset", "字符集错误，Hearth只支持utf-8");
  if (params["format"] && params["format"].toLowerCase() !== "json")
    throw new RefusalAlipay("isv.invalid-format", "无效的数据格式");
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(params["timestamp"] ?? ""))
    throw new RefusalAlipay("isv.invalid-timestamp", "非法的时间戳参数");
  checkCertificates(params, own);
  if (isSignedAlipay(params, own.merchantPublicKey)) return;
  const text = alipaySignText(params, ["sign"]);
  throw new RefusalAlipay(
    "isv.invalid-signature",
    `验签出错，建议检查签名字符串或签名私钥与应用公钥是否匹配，网关生成的验签字符串为：${text}`,
  );
}

/** In certificate mode, a request names the app's certificate and Alipay's root. */
function checkCertificates(params: AlipayParams, own: AlipayOwnKeys): void {
  const { app_cert_sn: app, alipay_root_cert_sn: root } = params;
  if (!app && !root) return;
  if (app !== own.appCertSn || root !== own.rootCertSn)
    throw new RefusalAlipay("isv.missing-signature-config", "验签出错，应用未配置对应签名算法的公钥或者证书");
}

/** The content of `biz_content`; empty without it. @throws RefusalAlipay */
export function readBizContent({ biz_content, encrypt_type }: AlipayParams): unknown {
  if (encrypt_type) throw new RefusalAlipay("isv.invalid-encrypt-type", "Hearth不支持内容加密");
  if (!biz_content) return {};
  try {
    return parseExactJson(biz_content);
  } catch {
    throw new RefusalAlipay("isv.invalid-parameter", "参数无效，biz_content不是JSON");
  }
}
