/** `hearth check-project`: which operations of the platform a program's sources call. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { findUsedOperations } from "../../../server/cli/check-project/find-used-operations.ts";
import { usualLimits } from "../../../server/cli/check-project/read-sources.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function writeProgram(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

async function operationsOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  using folder = temporaryFolder();
  writeProgram(folder.path, files);
  const { used } = await findUsedOperations(folder.path);
  return used.map(({ operation, place }) => `${operation.method} ${operation.path} at ${place}`);
}

const query = "GET /v3/pay/transactions/out-trade-no/{out_trade_no}";

it.each([
  ["a.js", "get(`https://api.mch.weixin.qq.com/v3/pay/transactions/out-trade-no/${no}?mchid=${mchid}`)"],
  ["a.ts", 'get("/v3/pay/transactions/out-trade-no/" + encodeURIComponent(no) + "?mchid=1")'],
  ["a.js", '"https://api.mch.weixin.qq.com/v3/pay/transactions/out-trade-no/".concat(no, "?mchid=").concat(mchid)'],
  ["A.java", 'String.format("%s/v3/pay/transactions/out-trade-no/%s", base, no);'],
  ["a.go", 'fmt.Sprintf("/v3/pay/transactions/out-trade-no/%s?mchid=%s", no, mchid)'],
  ["a.php", '$path = "/v3/pay/transactions/out-trade-no/{$no}?mchid={$mchid}";'],
  ["a.php", "$path = '/v3/pay/transactions/out-trade-no/' . $no . '?mchid=' . $mchid;"],
  ["a.py", 'url = f"{HOST}/v3/pay/transactions/out-trade-no/{no}?mchid={mchid}"'],
  ["a.mjs", "await wxpay.v3.pay.transactions.outTradeNo.$no$.get({ no })"],
  ["a.php", "$wxpay->v3->pay->transactions->outTradeNo->_out_trade_no_->getAsync(['out_trade_no' => $no]);"],
])("finds the address of an operation in %s: %s", async (file, line) => {
  expect(await operationsOf({ [file]: `\n${line}` })).toEqual([`${query} at ${file}:2`]);
});

it("tells operations of one address apart by the method beside it, and names all where none is", async () => {
  const address = "/v3/ecommerce/profitsharing/orders";
  expect(await operationsOf({ "a.php": `$this->doRequest('POST', '${address}', $body);` })).toEqual([
    `POST ${address} at a.php:1`,
  ]);
  expect(await operationsOf({ "a.php": `const ORDERS = '${address}';` })).toHaveLength(2);
});

it("takes each word of a choice in an address", async () => {
  expect(
    await operationsOf({ "a.js": "`${root}/mmpaymkttransfers/${group ? 'sendgroupredpack' : 'sendredpack'}`" }),
  ).toEqual(["POST /mmpaymkttransfers/sendgroupredpack at a.js:1", "POST /mmpaymkttransfers/sendredpack at a.js:1"]);
});

it.each([
  [
    "A.java",
    "import com.github.binarywang.wxpay.service.WxPayService;\nwx.createOrderV3(TradeTypeEnum.JSAPI, request);",
    "POST /v3/pay/transactions/jsapi",
  ],
  [
    "A.java",
    "import com.wechat.pay.java.service.payments.nativepay.NativePayService;\nservice.prepay(request);",
    "POST /v3/pay/transactions/native",
  ],
  [
    "a.go",
    'import "x/wechatpay-go/services/refunddomestic"\nsvc.Create(ctx, request)',
    "POST /v3/refund/domestic/refunds",
  ],
  ["a.php", "use EasyWeChat\\Factory;\n$app->auth->session($code);", "GET /sns/jscode2session"],
  ["a.py", "from wechatpy import WeChatClient\nclient.wxa.code_to_session(code)", "GET /sns/jscode2session"],
  ["a.ts", 'import WxPay from "wechatpay-node-v3";\nawait pay.transactions_h5(order);', "POST /v3/pay/transactions/h5"],
])("finds the call of an SDK's method in %s: %s", async (file, text, operation) => {
  const lines = String(text.split("\n").length);
  expect(await operationsOf({ [file]: text })).toEqual([`${operation} at ${file}:${lines}`]);
});

it("leaves out comments, tests, installed packages, and addresses that the platform does not have", async () => {
  const call = 'post("/pay/unifiedorder")';
  const files = {
    "a.js": `// ${call}\n/* ${call} */\napp.post("/pay/refund"); app.post("/pay/orders/unifiedorder");`,
    "a.py": `# ${call}\n"""\n${call}\n"""`,
    "a.php": `# ${call}`,
    "test/a.js": call,
    "a.test.ts": call,
    "node_modules/tenpay/index.js": call,
    "vendor/a.php": call,
  };
  expect(await operationsOf(files)).toEqual([]);
});

it("follows no link out of the folder", async () => {
  using outside = temporaryFolder();
  using folder = temporaryFolder();
  writeProgram(outside.path, { "a.js": 'post("/pay/unifiedorder")' });
  symlinkSync(outside.path, join(folder.path, "linked"));
  symlinkSync(join(outside.path, "a.js"), join(folder.path, "a.js"));
  expect(await findUsedOperations(folder.path)).toEqual({ used: [], cut: false });
});

it.each([{ files: 1 }, { bytes: 40 }, { fileBytes: 10 }, { ms: 0 }])("stops at its limits: %j", async (limit) => {
  using folder = temporaryFolder();
  writeProgram(folder.path, { "a.js": 'post("/pay/unifiedorder")', "b.js": 'post("/pay/closeorder")' });
  const { used, cut } = await findUsedOperations(folder.path, { ...usualLimits, ...limit });
  expect(cut).toBe(true);
  expect(used.length).toBeLessThan(2);
});
