import { z } from "zod";

/** A text of lower-case hex digits, such as the id of a trace (32) or a span (16). */
export const hexText = (digits: number) => z.string().regex(new RegExp(`^[\\da-f]{${String(digits)}}$`));

/** The span in which something happened, as members of a record. */
export const traceIds = {
  trace_id: z.string().optional().describe("Trace id, as in traceparent and in the log."),
  span_id: z.string().optional().describe("Span id in the trace."),
  parent_id: z.string().optional().describe("Id of the parent span."),
};
