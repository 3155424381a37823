/** One reply of each call about complaints and files, in the order in which a merchant comes to it. */
import type { MerchantV3, ReplyV3 } from "./merchant-v3.ts";
import type { TestProvider } from "./test-provider.ts";
import { uploadV3 } from "./upload-v3.ts";

const root = "/v3/merchant-service";
const complaints = `${root}/complaints-v2`;
const addresses = `${root}/complaint-notifications`;

export async function complaintReplies(provider: TestProvider, merchant: MerchantV3) {
  const replies: (readonly [operation: string, reply: ReplyV3])[] = [];
  const note = async (operation: string, reply: Promise<ReplyV3>) => void replies.push([operation, await reply]);
  await merchant.place("native", "DESC_COMPLAINT");
  await provider.control("POST", "/orders/DESC_COMPLAINT/pay");
  const filing = { problem_type: "REFUND", apply_refund_amount: 1, phone: "13800138000" };
  const filed = { out_trade_no: "DESC_COMPLAINT", detail: "Cold tea", ...filing };
  const { complaint_id } = await provider.control("POST", "/complaints", filed);
  const own = `${complaints}/${String(complaint_id)}`;
  const complainted_mchid = merchant.credentials.mch_id;
  const day = new Date(provider.clock.now() + 8 * 3_600_000).toISOString().slice(0, 10);
  const days = `begin_date=${day}&end_date=${day}`;
  await note(`GET ${complaints}`, merchant.call("GET", `${complaints}?${days}`));
  await note(`GET ${complaints}/{complaint_id}`, merchant.call("GET", own));
  const acts = {
    response: { complainted_mchid, response_content: "Sorry." },
    "update-refund-progress": { action: "APPROVE" },
    complete: { complainted_mchid },
  };
  for (const [act, body] of Object.entries(acts))
    await note(`POST ${complaints}/{complaint_id}/${act}`, merchant.call("POST", `${own}/${act}`, body));
  const history = `${complaints}/{complaint_id}/negotiation-historys`;
  await note(`GET ${history}`, merchant.call("GET", `${own}/negotiation-historys`));
  const url = "https://a.example/complaints";
  await note(`POST ${addresses}`, merchant.call("POST", addresses, { url }));
  await note(`PUT ${addresses}`, merchant.call("PUT", addresses, { url }));
  await note(`GET ${addresses}`, merchant.call("GET", addresses));
  await note(`DELETE ${addresses}`, merchant.call("DELETE", addresses));
  const upload = (path: string, filename: string) =>
    note(`POST ${path}`, uploadV3(provider.url, merchant, path, { filename }));
  await upload("/v3/merchant/media/upload", "cup.png");
  await upload("/v3/merchant/media/video_upload", "cup.mp4");
  await upload(`${root}/images/upload`, "cup.png");
  return replies;
}
