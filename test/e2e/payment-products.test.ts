/** The products beside orders in the console, each by its main path from the phone page, in both languages. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testApp } from "../../server/provider/identity/test-app.ts";
import { productsConsole } from "../support/console/products-console.ts";
import { contractIdOf } from "../support/payments/begin-money-moves.ts";
import { createCombiner } from "../support/payments/combiner.ts";
import { createPartner } from "../support/payments/partner.ts";
import { pushReceiver, pushSecrets } from "../support/payments/push-receiver.ts";

describe.each(["en", "zh"] as const)("In the language %s", (language) => {
  const scene = productsConsole(language);
  beforeAll(scene.open);
  afterAll(scene.close);
  const {
    control,
    provider,
    phone,
    payments,
    common,
    products,
    page,
    goto,
    button,
    inWallet,
    openWallet,
    row,
    panel,
    expectAccessible,
    place,
    payOnPhone,
    transactionOf,
  } = scene;

  it("the tabs name only products that were used, and the menu shows what makes the first entry", async () => {
    await goto("payments");
    await page().getByRole("tab", { name: products.orders }).waitFor();
    await button(products.more).click();
    await page().getByRole("menuitem", { name: products.name.pushes }).click();
    await page().getByText(products.empty.pushes.title).waitFor();
    await page().getByText(`curl -X PUT ${scene.app.provider.url}/sim/message-push`).waitFor();
    await expectAccessible();
  });

  it("an order that is paid on the phone is shared, and its panel shows the share and each money move", async () => {
    const number = "SHARED";
    await place(number, { settle_info: { profit_sharing: true }, amount: { total: 1_000, currency: "CNY" } });
    await payOnPhone(number);
    const { app_id: appid } = scene.merchant.credentials;
    const to = { type: "PERSONAL_OPENID", account: scene.openid };
    await scene.merchant.call("POST", "/v3/profitsharing/receivers/add", { appid, ...to, relation_type: "STAFF" });
    const shared = await scene.merchant.call("POST", "/v3/profitsharing/orders", {
      ...{ appid, transaction_id: await transactionOf(number), out_order_no: "S001", unfreeze_unsplit: true },
      receivers: [{ ...to, amount: 100, description: "commission" }],
    });
    expect(shared.status).toBe(200);
    await goto("payments?view=shares");
    await row("shares", "S001").filter({ hasText: "FINISHED" }).click();
    const opened = panel("S001");
    await opened.getByRole("region", { name: products.parts.shares }).getByText(scene.openid).waitFor();
    await expectAccessible();
    await opened.getByRole("button", { name: products.openOrder }).click();
    await panel(number).getByRole("tab", { name: payments.tab.related }).click();
    await panel(number).getByRole("region", { name: products.name.shares }).getByText("S001").waitFor();
    await panel(number).getByRole("region", { name: products.moneyMoves }).getByText("payment").waitFor();
    await expectAccessible();
  });

  it("a transfer that the phone accepts succeeds and is notified; one that it refuses fails", async () => {
    const bill = async (out_bill_no: string) =>
      scene.merchant.call("POST", "/v3/fund-app/mch-transfer/transfer-bills", {
        ...{ appid: scene.merchant.credentials.app_id, out_bill_no, transfer_scene_id: "1000", openid: scene.openid },
        ...{ transfer_amount: 500, transfer_remark: out_bill_no, notify_url: `${scene.receiver.url}/${out_bill_no}` },
        transfer_scene_report_infos: [{ info_type: "活动名称", info_content: "prize" }],
      });
    await bill("GOOD");
    await bill("BAD");
    await openWallet();
    const transfer = (name: string) => inWallet(phone.wallet.transfers, `${name}`);
    await transfer("GOOD").getByRole("button", { name: phone.wallet.accept }).click();
    await transfer("GOOD").getByText("SUCCESS", { exact: true }).waitFor();
    await transfer("BAD").getByRole("button", { name: phone.wallet.refuse }).click();
    await transfer("BAD").getByText("FAIL", { exact: true }).waitFor();
    await expectAccessible();
    await scene.receiver.at(`/GOOD`);
    await goto("payments?view=transfers");
    await row("transfers", "GOOD").filter({ hasText: "SUCCESS" }).waitFor();
    await row("transfers", "BAD").filter({ hasText: "FAIL" }).click();
    await panel("BAD").getByText("OVERDUE_CLOSE").waitFor();
  });

  it("an order is shipped by the app and received on the phone, and the pushed event can be sent again", async () => {
    await using server = await pushReceiver();
    await goto("payments?view=pushes");
    await button(products.push.set).click();
    const form = page().getByRole("dialog", { name: products.receiver });
    await form.getByRole("textbox", { name: "URL" }).fill("127.0.0.1");
    await form.getByRole("button", { name: products.push.save }).click();
    for (const rule of Object.values(products.push.rule)) await form.getByText(rule).waitFor();
    await expectAccessible();
    await form.getByRole("textbox", { name: "URL" }).fill(server.url);
    await form.getByLabel("Token", { exact: true }).fill(pushSecrets.token);
    await form.getByLabel("EncodingAESKey", { exact: true }).fill(pushSecrets.encoding_aes_key);
    await form.getByText(products.push.modes.plain).click();
    server.state.echoes = false;
    await form.getByRole("button", { name: products.push.save }).click();
    await form.getByText(products.push.notVerified).waitFor();
    server.state.echoes = true;
    await form.getByRole("button", { name: products.push.save }).click();
    await form.waitFor({ state: "detached" });
    await control("PATCH", "/trade-management", { managed: true });
    const number = "SHIPPED";
    await place(number);
    await payOnPhone(number);
    const { app_id: appid, app_secret: secret } = testApp;
    const query = new URLSearchParams({ appid, secret, grant_type: "client_credential" });
    const token = await fetch(`${scene.app.provider.url}/cgi-bin/token?${String(query)}`);
    const { access_token } = (await token.json()) as { access_token: string };
    const address = `${scene.app.provider.url}/wxa/sec/order/upload_shipping_info?access_token=${access_token}`;
    const uploaded = await fetch(address, {
      method: "POST",
      body: JSON.stringify({
        order_key: { order_number_type: 2, transaction_id: await transactionOf(number) },
        ...{
          logistics_type: 1,
          delivery_mode: 1,
          upload_time: new Date().toISOString(),
          payer: { openid: scene.openid },
        },
        shipping_list: [{ tracking_no: "YT", express_company: "YTO", item_desc: "tea*1" }],
      }),
    });
    expect(await uploaded.json()).toMatchObject({ errcode: 0 });
    await inWallet(phone.wallet.paid, number).getByRole("button", { name: phone.wallet.received }).click();
    await inWallet(phone.wallet.paid, number).getByText(phone.wallet.isReceived, { exact: true }).waitFor();
    await goto("payments?view=shipments");
    await row("shipments", number).click();
    await panel(number).getByText(`YTO YT`).waitFor();
    await goto("payments?view=pushes");
    const settings = page().getByRole("region", { name: products.receiver });
    await settings.getByText(server.url).waitFor();
    await settings.getByRole("button", { name: products.push.edit }).click();
    await form.getByText(products.push.modes.safe).click();
    await form.getByRole("button", { name: products.push.save }).click();
    await settings.getByText(products.push.modes.safe).waitFor();
    const before = server.received.length;
    await row("pushes", "trade_manage_order_settlement")
      .first()
      .getByRole("button", { name: products.actions.replay })
      .click();
    await expect.poll(() => server.received.length).toBe(before + 1);
    await expectAccessible();
    await control("PATCH", "/trade-management", { managed: false });
    await settings.getByRole("button", { name: products.push.edit }).click();
    await form.getByRole("button", { name: products.push.remove }).click();
    await button(products.push.set).waitFor();
  });

  it("a complaint is filed on the phone, and the merchant answers and completes it", async () => {
    const number = "BAD_TEA";
    await place(number);
    await payOnPhone(number);
    const paid = () => inWallet(phone.wallet.paid, number);
    await paid().getByRole("button", { name: phone.wallet.complain }).click();
    await paid().getByRole("textbox", { name: phone.wallet.message }).fill("The tea is cold.");
    await paid().getByRole("button", { name: phone.wallet.send }).click();
    await paid().getByText("PENDING", { exact: true }).waitFor();
    await expectAccessible();
    const [complaint] = (await control("GET", `/complaints?out_trade_no=${number}`)) as unknown as {
      complaint_id: string;
    }[];
    const id = complaint?.complaint_id ?? "";
    const act = (what: string, body: object) =>
      scene.merchant.call("POST", `/v3/merchant-service/complaints-v2/${id}/${what}`, {
        complainted_mchid: scene.merchant.credentials.mch_id,
        ...body,
      });
    await act("response", { response_content: "Sorry." });
    await paid().getByText("Sorry.").waitFor();
    await act("complete", {});
    await paid().getByText("PROCESSED", { exact: true }).waitFor();
    await paid().getByRole("button", { name: phone.wallet.complainAgain }).waitFor();
    await page().getByRole("dialog").getByRole("button", { name: common.close }).click();
    await goto("payments?view=complaints");
    await row("complaints", id).filter({ hasText: "PROCESSED" }).click();
    await panel(id).getByRole("region", { name: products.parts.complaints }).getByText("Sorry.").waitFor();
  });

  it("a contract is signed on the phone, which ends it after a deduction; another one is refused", async () => {
    const { app_id: appid } = scene.merchant.credentials;
    const ask = (code: string) =>
      scene.merchant.call("POST", "/v3/papay/scheduled-deduct-sign/contracts/pre-entrust-sign/jsapi", {
        ...{ appid, plan_id: 1, out_contract_code: code, contract_display_account: "Ada" },
        contract_notify_url: `${scene.receiver.url}/${code}`,
      });
    await Promise.all(["MONTHLY", "DAILY"].map(ask));
    await openWallet();
    const { contracts, signContract, refuseContract, endContract } = phone.wallet;
    const act = async (code: string, verb: string, state: string) => {
      await inWallet(contracts, code).getByRole("button", { name: verb }).click();
      await inWallet(contracts, code).getByText(state, { exact: true }).waitFor();
    };
    await act("DAILY", refuseContract, "REFUSED");
    await act("MONTHLY", signContract, "SIGNED");
    const contract_id = await contractIdOf(provider, "MONTHLY");
    await scene.merchant.call("POST", "/v3/papay/pay/transactions/apply", {
      ...{ appid, out_trade_no: "DEDUCTED", description: "DEDUCTED", contract_id },
      ...{ amount: { total: 990, currency: "CNY" }, transaction_notify_url: `${scene.receiver.url}/DEDUCTED` },
    });
    await inWallet(phone.wallet.paid, "DEDUCTED").waitFor();
    await expectAccessible();
    await act("MONTHLY", endContract, "TERMINATED");
    await goto("payments?view=contracts");
    await row("contracts", "MONTHLY").filter({ hasText: "TERMINATED" }).click();
    await panel("MONTHLY").getByText("USER_TERMINATE").waitFor();
  });

  it("an order of a service provider is paid on the phone and shown with its sub-merchant", async () => {
    const partner = await createPartner(provider, scene.merchant);
    const number = "PARTNER";
    await partner.place("jsapi", number, { description: number, payer: { sp_openid: scene.openid } });
    await payOnPhone(number);
    await goto(`payments?side=provider&order=${number}&tab=related`);
    await panel(number).getByRole("region", { name: products.partner }).getByText(partner.subMchId).waitFor();
  });

  it("a combined order is paid on the phone as one, and shown with the parts of its merchants", async () => {
    const combiner = await createCombiner(provider, scene.merchant);
    const number = "COMBINED";
    const parts = [combiner.part(scene.merchant.credentials.mch_id, "FIRST_PART", 60)];
    parts.push(combiner.part(combiner.secondMchId, "OTHER_PART", 41));
    await combiner.place("jsapi", number, { combine_payer_info: { openid: scene.openid }, sub_orders: parts });
    await openWallet();
    const toPay = page().getByRole("region", { name: phone.wallet.toPay, exact: true }).getByRole("listitem");
    await toPay.getByRole("button", { name: phone.pay }).click();
    await toPay.waitFor({ state: "detached" });
    await goto(`payments?side=provider&order=${number}&tab=related`);
    const part = panel(number)
      .getByRole("region", { name: products.combinedParts, exact: true })
      .getByRole("listitem")
      .filter({ hasText: "OTHER_PART" });
    await part.getByText("SUCCESS", { exact: true }).waitFor();
    await part.getByRole("button").click();
    await panel("OTHER_PART")
      .getByRole("region", { name: products.combinedOf })
      .getByRole("button", { name: number })
      .waitFor();
  });
});
