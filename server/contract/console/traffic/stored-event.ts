/** The form of a stored event of any type. The data by type is in events.ts. */
import { z } from "zod";

/** A stored event: CloudEvents 1.0 attributes. `id` is an increasing decimal number, also used as the id in SSE. */
export const cloudEventSchema = z
  .object({
    specversion: z.literal("1.0"),
    id: z.string().meta({ examples: ["17"] }),
    source: z
      .string()
      .describe("Service that reported the event: /app, /provider, /model, /supervisor, /watcher.")
      .meta({ examples: ["/app/articles"] }),
    type: z.string().meta({ examples: ["resource.created"] }),
    subject: z
      .string()
      .optional()
      .meta({ examples: ["articles/1"] }),
    time: z.string().meta({ format: "date-time", examples: ["2026-11-20T08:30:00.000Z"] }),
    traceparent: z
      .string()
      .optional()
      .describe("Trace context of the event (CloudEvents extension).")
      .meta({ examples: ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"] }),
    faults: z
      .string()
      .optional()
      .describe("Injected faults that hit the event's span (extension of Hearth): keys and kinds.")
      .meta({ examples: ["sim-2:http_status"] }),
    datacontenttype: z.literal("application/json"),
    data: z
      .unknown()
      .describe("Data of the event. Its type decides the members.")
      .meta({ examples: [{ collection: "articles", id: 1 }] }),
  })
  .meta({ title: "StoredEvent" });
export type CloudEvent = z.infer<typeof cloudEventSchema>;
