import { z } from "zod";

/** The span in which something happened, as members of a record. */
export const traceIds = {
  trace_id: z.string().optional().describe("The trace that it is part of, as in traceparent and in the log."),
  span_id: z.string().optional().describe("Its span in the trace."),
  parent_id: z.string().optional().describe("The span that caused it."),
};
