/** The page on which a user signs, refuses or ends a contract. */
import type { ServerResponse } from "node:http";
import { getContractPage, postContractPage, type ContractAct } from "../../../contract/provider/papay/sim-contracts.ts";
import type { ContractState } from "../../../contract/provider/papay/contract-terms.ts";
import { isOwnOrigin } from "../../../http/conventions/control.ts";
import { redirect } from "../../../http/conventions/redirect.ts";
import { sendText } from "../../../http/conventions/send-json.ts";
import { HttpError, notFound } from "../../../http/http-error.ts";
import { route, type Reply, type Route } from "../../../http/route.ts";
import { yuanText } from "../../../payment-wire/yuan.ts";
import { contentPolicy, escaped, htmlDocument } from "../buyer/page-html.ts";
import { prefersChinese } from "../buyer/page-texts.ts";
import { PaymentRefusal } from "../ledger/ledger.ts";
import type { ContractRow } from "./contract-tables.ts";
import type { Papay } from "./open-papay.ts";

const english = {
  lang: "en",
  title: "Automatic deduction",
  simulated: "Simulated contract. No money is charged.",
  merchant: "Merchant",
  account: "Account",
  plan: "Plan",
  number: "Contract number",
  day: "Deduction on",
  actions: "Action of the user",
  back: "Back to the merchant",
  outcomes: { sign: "Sign", refuse: "Refuse", terminate: "End the contract" } satisfies Record<ContractAct, string>,
  states: {
    WAITING: "Waiting for your signature",
    SIGNED: "The contract is in force.",
    TERMINATED: "The contract has ended.",
    REFUSED: "You refused the contract.",
  } satisfies Record<ContractState, string>,
};

const chinese: typeof english = {
  lang: "zh-CN",
  title: "自动扣费",
  simulated: "模拟签约，不会实际扣款",
  merchant: "商户",
  account: "账户",
  plan: "模板",
  number: "协议号",
  day: "扣费日期",
  actions: "用户操作",
  back: "返回商户",
  outcomes: { sign: "签约", refuse: "拒绝", terminate: "解约" },
  states: {
    WAITING: "等待签约",
    SIGNED: "协议生效中。",
    TERMINATED: "协议已解约。",
    REFUSED: "你已拒绝签约。",
  },
};

/** What the user can do in each state. */
const acts: Record<ContractState, readonly ContractAct[]> = {
  WAITING: ["sign", "refuse"],
  SIGNED: ["terminate"],
  TERMINATED: [],
  REFUSED: [],
};

function contractPage(contract: ContractRow, texts: typeof english): string {
  const { deduct_day, deduct_fen, return_url } = contract;
  const day = deduct_day === null ? [] : [[texts.day, `${deduct_day} ¥${yuanText(deduct_fen ?? 0)}`]];
  const rows = [
    [texts.merchant, contract.sub_mch_id ?? contract.mch_id],
    [texts.account, contract.display_account],
    [texts.plan, String(contract.plan_id)],
    [texts.number, contract.out_contract_code],
    ...day,
  ];
  const buttons = acts[contract.state].map(
    (act) => `<button type="submit" name="outcome" value="${act}">${texts.outcomes[act]}</button>`,
  );
  const action = `/pay/h5/contract?id=${contract.pre_sign_id}`;
  const form = `<form method="post" action="${action}"><fieldset><legend>${texts.actions}</legend>${buttons.join("")}</fieldset></form>`;
  const parts = [
    `<p class="note">${texts.simulated}</p><h1>${texts.title}</h1>`,
    `<dl>${rows.map(([name = "", value = ""]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join("")}</dl>`,
    `<p role="status">${texts.states[contract.state]}</p>`,
    buttons.length === 0 ? "" : form,
    return_url === null ? "" : `<p><a class="back" href="${escaped(return_url)}">${texts.back}</a></p>`,
  ];
  return htmlDocument(texts, parts.join("\n"));
}

function send(res: ServerResponse, html: string, back: string | null): Reply {
  res.setHeader("Content-Security-Policy", contentPolicy(back ?? undefined));
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("X-Content-Type-Options", "nosniff");
  res.setHeader("Vary", "Accept-Language");
  sendText(res, 200, "text/html; charset=utf-8", html);
  return { sent: true };
}

/** Mounted at the root: the user may use any machine. */
export function contractPages({ contracts, settle }: Pick<Papay, "contracts" | "settle">): Route[] {
  /** @throws HttpError 404 */
  async function contractOf(id: string): Promise<ContractRow> {
    await settle();
    const contract = await contracts.byPreSignId(id);
    if (!contract) throw notFound(`No contract has the id ${id}.`);
    return contract;
  }

  const perform = (contract: ContractRow, act: ContractAct): Promise<ContractRow> => {
    if (act === "sign") return contracts.sign(contract);
    if (act === "refuse") return contracts.refuse(contract);
    return contracts.terminate(contract, { mode: "USER_TERMINATE", remark: null });
  };

  return [
    route(getContractPage, async ({ query: { id } }, { req, res }) => {
      const contract = await contractOf(id);
      const texts = prefersChinese(req.headers["accept-language"]) ? chinese : english;
      return send(res, contractPage(contract, texts), contract.return_url);
    }),
    route(postContractPage, async ({ query: { id }, body: { outcome } }, { req, res }) => {
      const contract = await contractOf(id);
      // A page of another origin must not sign in the user's name.
      if (!isOwnOrigin(req)) throw new HttpError(403, "origin_refused", "Only the contract page may send this form.");
      await perform(contract, outcome).catch((error: unknown) => {
        // The page shows the state that came first.
        if (!(error instanceof PaymentRefusal)) throw error;
      });
      redirect(req, res, 303, contract.return_url ?? `/pay/h5/contract?id=${encodeURIComponent(id)}`);
      return { sent: true };
    }),
  ];
}
