import { z } from "zod";
import { listEvents, streamStoredEvents } from "../../contract/console/traffic/event-endpoints.ts";
import { cloudEventSchema } from "../../contract/console/traffic/stored-event.ts";
import { eventNames } from "../../contract/console/traffic/events.ts";
import { value, whole } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import { printEvents } from "./event-text.ts";

export const eventType = z.enum(eventNames);

export const events = action({
  name: "events",
  group: "Traffic",
  summary: "list the events, newest last",
  input: z.object({
    type: value(eventType.optional(), "TYPE", "only events of this type, such as payment.settled"),
    before: whole(z.int().positive().optional(), "EVENT", "only events before this one, for the next page"),
    limit: whole(z.int().min(1).max(500).default(20), "N", "at most this many, the newest; default: 20"),
  }),
  output: z.array(cloudEventSchema),
  effect: "reads",
  async run(hearth, query, signal) {
    const page = await hearth.call(listEvents, { query, signal });
    return page.events.toReversed();
  },
  async *follow(hearth, { type }, signal, listed) {
    // With an id, the stream begins with what was stored since.
    const lastEventId = listed.at(-1)?.id;
    for await (const { name, data } of hearth.stream(streamStoredEvents, { signal, lastEventId })) {
      if (name !== "event") continue;
      const event = cloudEventSchema.parse(data);
      if (type === undefined || event.type === type) yield [event];
    }
  },
  print: (list) => (list.length === 0 ? "No events match." : printEvents(list)),
});
