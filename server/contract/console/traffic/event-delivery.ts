/** The operation by which another process reports an event. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";
import { eventNames, type EventName } from "./events.ts";
import { cloudEventSchema } from "./stored-event.ts";

/** The body of POST /console/api/events from another process; the log adds the rest. */
export const eventDeliverySchema = z.object({
  source: z.string().meta({ examples: ["/watcher"] }),
  type: z.enum(eventNames as [EventName, ...EventName[]]).meta({ examples: ["file.changed"] }),
  subject: z
    .string()
    .optional()
    .meta({ examples: ["/home/alice/site/index.html"] }),
  data: z
    .unknown()
    .describe("Data of the event, by its type.")
    .meta({
      examples: [{ id: 1, df: "/home/alice/site/index.html", ev: "modify", received_at: "2026-11-20T08:30:00.000Z" }],
    }),
});
export type EventDelivery = z.infer<typeof eventDeliverySchema>;

/** Stores an event of another process and sends it to all listeners. */
export const createEvent = endpoint({
  id: "createEvent",
  tag: "events",
  method: "POST",
  path: "/console/api/events",
  access: "console",
  status: 201,
  body: eventDeliverySchema,
  data: cloudEventSchema,
});
