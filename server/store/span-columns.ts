import { z } from "zod";
import { hexText } from "../contract/trace-ids.ts";
import { column } from "./define-table.ts";

const hex = (digits: number) => column.optional(column.text(hexText(digits)));

/** The span in which something happened; see traceColumns. */
export const spanColumns = { trace_id: hex(32), span_id: hex(16), parent_id: hex(16) };

/** The traceparent of the act that caused work which continues later. */
export const causeColumn = { caused_by: column.optional(column.text(z.string().max(55))) };
