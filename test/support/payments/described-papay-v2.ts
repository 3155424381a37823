/** A reply of each call of contracts and deductions in version 2, to compare with the published description. */
import { createMerchantV3 } from "./merchant-v3.ts";
import { createPapayV2, planOfV2 } from "./papay-v2.ts";
import { createPartner } from "./partner.ts";
import type { CollectedV2 } from "./replies-v2.ts";
import type { TestProvider } from "./test-provider.ts";

export async function papayRepliesV2(provider: TestProvider): Promise<CollectedV2> {
  const collected: CollectedV2[number][] = [];
  const { subMchId, subAppId } = await createPartner(provider, await createMerchantV3(provider.url));
  for (const sub of [undefined, { sub_mch_id: subMchId, sub_appid: subAppId }]) {
    const name = `desc${String(collected.length)}`;
    const papay = createPapayV2(provider, sub, collected);
    await papay.signInApp(`${name}a`);
    await papay.signInBrowser(`${name}b`);
    await papay.signInClient(`${name}c`);
    const contract_id = await papay.signed(`${name}a`);
    await papay.apply(contract_id, `${name}_order`);
    await papay.queryOrder(`${name}_order`);
    await papay.terminate({ contract_id });
    await papay.query({ plan_id: planOfV2, contract_code: `${name}a` });
    if (!sub) await papay.order(`${name}d`, `${name}_signing`);
  }
  return collected;
}
