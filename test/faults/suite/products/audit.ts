/** Holds what the platform's other products have stored against what was promised, and its book against itself. */
import { Sqlite } from "../../../../server/store/native-sqlite.ts";
import type { Findings } from "../audit.ts";
import { until } from "../until.ts";
import { numberOf, shareFen, type Promised } from "./scene.ts";

/** Accounts whose sums are not those of their postings. */
const unbalanced = `
  select account, sum(fen) as fen from (
    select json_extract(line.value, '$[0]') as account, json_extract(line.value, '$[1]') as fen
      from pay_postings, json_each(pay_postings.lines) as line
    union all select account, -fen from pay_accounts)
  group by account having sum(fen) <> 0`;

/** What a round has more than once, by its number. */
const doubles = {
  order: `select out_trade_no as number from pay_orders where out_trade_no like ?
    group by mch_id, out_trade_no having count(*) > 1`,
  "notification of a payment": `select out_trade_no as number from pay_notifications
    where out_trade_no like ? and about = 'payment' and state <> 'unscheduled'
    group by mch_id, out_trade_no having count(*) > 1`,
  transfer: `select out_bill_no as number from pay_transfers
    join pay_postings on subject = transfer_bill_no and kind = 'transfer'
    where out_bill_no like ? group by out_bill_no having count(*) > 1`,
  share: `select substr(account, length('receiver:o') + 1) as number from pay_accounts
    where account like 'receiver:o' || ? and fen > ${String(shareFen)}`,
  complaint: `select out_trade_no as number from pay_complaints
    join pay_orders on pay_orders.id = order_id where out_trade_no like ?
    group by out_trade_no having count(*) > 1`,
};

/** @param file the provider's database */
export async function checkProducts(
  promised: readonly Promised[],
  mark: string,
  file: string,
  { lost, doubled, wrong }: Findings,
): Promise<void> {
  for (const { product, number, isThere } of promised)
    await until("it to be there", async () => (await isThere()) || undefined).catch((error: unknown) =>
      lost.push(`${product} ${number}: ${String(error)}`),
    );
  const db = new Sqlite(file, { readOnly: true });
  try {
    for (const [what, query] of Object.entries(doubles))
      for (const { number } of db.prepare<{ number: string }>(query).all([`${numberOf(mark)}x%`]))
        doubled.push(`${what} ${number}`);
    for (const { account, fen } of db.prepare<{ account: string; fen: number }>(unbalanced).all())
      wrong.push(`${account} is ${String(fen)} fen apart from its postings`);
    const [total] = db.prepare<{ fen: number }>("select coalesce(sum(fen), 0) as fen from pay_accounts").all();
    if (total?.fen !== 0) wrong.push(`the book adds up to ${String(total?.fen)} fen`);
  } finally {
    db.close();
  }
}
