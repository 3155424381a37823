import {
  answerSimComplaint,
  createSimComplaint,
  listSimComplaints,
  type SimComplaint,
} from "../../../contract/provider/sim-complaints.ts";
import { HttpError, notFound } from "../../../http/http-error.ts";
import { route, type Route } from "../../../http/route.ts";
import type { NotificationContent } from "../faults/notification-faults.ts";
import type { FindOrder } from "../ledger/find-order.ts";
import type { Complaints, ComplaintWithOrder } from "./complaints.ts";

interface Deps {
  readonly complaints: Complaints;
  readonly findOrder: FindOrder;
}

const mostListed = 100;

function eventOf(content: string) {
  const { envelope, resource } = JSON.parse(content) as Extract<NotificationContent, { version: "v3" }>;
  return { event_type: String(envelope["event_type"]), action_type: String(resource["action_type"]) };
}

export function complaintRoutes({ complaints, findOrder }: Deps): Route[] {
  const found = async (complaintId: string): Promise<ComplaintWithOrder> => {
    const complaint = await complaints.find(complaintId);
    if (!complaint) throw notFound(`Complaint ${complaintId} does not exist.`);
    return complaint;
  };

  async function view(complaint: ComplaintWithOrder): Promise<SimComplaint> {
    const { complaint_id, mch_id, openid, total, state, problem_type, detail } = complaint;
    const [history, notices] = await Promise.all([complaints.history(complaint_id), complaints.notices(complaint)]);
    return {
      ...{ complaint_id, mch_id, out_trade_no: complaint.outTradeNo, openid, total, state, problem_type, detail },
      created_at: new Date(complaint.created_at).toISOString(),
      history: history.map(({ at, operator, type, text }) => ({
        at: new Date(at).toISOString(),
        ...{ operator, type, text },
      })),
      notifications: notices.map(({ content, url, state: noticeState, attempts, problem }) => ({
        ...{ ...eventOf(content), url, state: noticeState, attempts },
        ...(problem !== undefined && { problem }),
      })),
    };
  }

  return [
    route(listSimComplaints, async ({ query }) => ({
      data: await Promise.all((await complaints.newest(query, mostListed)).map(view)),
    })),
    route(createSimComplaint, async ({ body: { out_trade_no, mch_id, ...filing } }) => {
      const order = await findOrder(out_trade_no, mch_id);
      if (order.version === "alipay")
        throw new HttpError(
          409,
          "other_platform",
          `Order ${out_trade_no} is one of Alipay, whose complaints are not simulated.`,
        );
      if (order.transactionId === undefined)
        throw new HttpError(409, "not_paid", `Order ${out_trade_no} is not paid. Pay it first.`);
      return { data: await view(await found(await complaints.file(order, { out_trade_no, mch_id, ...filing }))) };
    }),
    route(answerSimComplaint, async ({ params: { complaint_id }, body: { text, again } }) => {
      const complaint = await found(complaint_id);
      await (again ? complaints.complainAgain(complaint, text) : complaints.message(complaint, text));
      return { data: await view(await found(complaint_id)) };
    }),
  ];
}
