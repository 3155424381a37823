import { listSimComplaints, type SimComplaint } from "../../../../server/contract/provider/sim-complaints.ts";
import type { Product, ProductEntry } from "./product.ts";

const entryOf = (complaint: SimComplaint): ProductEntry => ({
  key: complaint.complaint_id,
  at: complaint.created_at,
  state: complaint.state,
  number: complaint.complaint_id,
  mchId: complaint.mch_id,
  ...(complaint.openid !== "" && { openid: complaint.openid }),
  fen: complaint.total,
  order: complaint.out_trade_no,
  parts: [
    ...complaint.history.map(({ at, operator, type, text }) => ({ at, text: text || type, note: operator })),
    ...complaint.notifications.map(({ event_type, action_type, state, url, problem }) => ({
      state,
      text: `${event_type} ${action_type}`,
      note: problem ?? url,
    })),
  ],
  actions: [],
  item: complaint,
});

export const complaintProduct: Product = {
  numberField: "complaint_id",
  waits: [],
  load: async (call, query, signal) => (await call(listSimComplaints, { query, signal })).map(entryOf),
  example: (provider) =>
    [
      `curl ${provider}/sim/complaints \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '{"out_trade_no":"…","detail":"The parcel is empty."}'`,
    ].join("\n"),
};
