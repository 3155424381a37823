/** The control API, with which tests change a running server. */
import { z } from "zod";
import { conditions } from "../../messages/en/conditions.ts";
import { list } from "../../bounded-lists.ts";
import { answerHeaders } from "../../answer-headers.ts";

/** The clock's greatest distance from the real one, because others cannot read times beyond the year 9999. */
export const farthestOffsetMs = 100 * 366 * 24 * 3600 * 1000;

/** The clock for the expiry of sessions, codes and session keys. It runs at the real one's pace. */
export const clockSchema = z
  .object({
    now: z.string().describe("The server's current time.").meta({ format: "date-time" }),
    offset_ms: z.number().int().describe("Difference from real time, in ms. Positive: ahead."),
  })
  .meta({ title: "Clock" });

const offset = z.number().int().min(-farthestOffsetMs).max(farthestOffsetMs);

export const clockChangeSchema = z
  .strictObject({
    offset_ms: offset
      .optional()
      .describe("Difference from real time, in ms.")
      .meta({ examples: [3_600_000] }),
    advance_ms: offset
      .optional()
      .describe("Step from the current time, in ms.")
      .meta({ examples: [7_200_000] }),
    at: z.iso
      .datetime({ offset: true })
      .optional()
      .describe("New current time, 1970 or later. The clock continues from there."),
  })
  .refine((change) => Object.values(change).filter((value) => value !== undefined).length === 1, {
    path: ["offset_ms"],
    message: conditions["condition.clock"],
  });

const fault = z.strictObject({
  method: z
    .string()
    .max(200)
    .regex(/^[A-Z-]+(?:,[A-Z-]+)*$/, conditions["is.upperMethods"])
    .optional()
    .describe("Methods that the fault hits. Default: all.")
    .meta({ examples: ["POST"] }),
  path: z
    .string()
    .max(500)
    .default("/**")
    .describe(
      "Path that the fault hits. `*` matches text without '/', `{name}` one segment, `**` at the end everything below.",
    )
    .meta({ examples: ["/api/articles/{id}"] }),
  delay_ms: z.number().int().min(0).max(300_000).optional().describe("Delay before the reply, in milliseconds."),
  status: z.number().int().min(400).max(599).optional().describe("Status to return instead of the real reply."),
  message: z.string().max(1000).optional().describe("Value of the reply's `Message`."),
  body: z.unknown().optional().describe("Whole body of the reply as JSON, instead of `{Message, code}`."),
  headers: answerHeaders.optional().describe("Headers of the reply."),
  abort: z.boolean().optional().describe("Cuts the connection without a reply."),
  probability: z.number().min(0).max(1).default(1).describe("Share of the matching requests that the fault hits."),
  seed: z
    .number()
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(1)
    .describe("Seed of the random choice. The same seed hits the same requests."),
  times: z.number().int().min(1).max(1_000_000).optional().describe("How many times it fires. Default: unlimited."),
});

const doesSomething = ({ delay_ms, status, abort }: z.output<typeof fault>) =>
  delay_ms !== undefined || status !== undefined || abort === true;
const isOneThing = ({ status, abort }: z.output<typeof fault>) => status === undefined || abort !== true;
const hasStatus = ({ status, message, body, headers }: z.output<typeof fault>) =>
  status !== undefined || (message ?? body ?? headers) === undefined;

/** The effect of a fault, and its requests. */
export const faultInputSchema = fault
  .refine(doesSomething, { path: ["status"], message: conditions["condition.fault"] })
  .refine(isOneThing, { path: ["abort"], message: conditions["condition.abort"] })
  .refine(hasStatus, { path: ["status"], message: conditions["condition.answer"] })
  .meta({ title: "FaultInput" });
export type FaultInput = z.output<typeof faultInputSchema>;

export const faultSchema = z
  .object({
    id: z.number().int(),
    ...fault.shape,
    hits: z.number().int().describe("Number of requests that the fault has hit."),
    recent_hits: z
      .array(z.string().meta({ format: "date-time" }))
      .describe("Times of the newest hits since this start, oldest first, at most 50."),
    spent: z.boolean().describe("Whether the fault has fired as often as `times` allows."),
  })
  .meta({ title: "Fault" });
export type Fault = z.output<typeof faultSchema>;

export const faultListSchema = z.object({ faults: z.array(faultSchema) });

/** The parts that can be reset to the very first start. */
export const statePartSchema = z.enum([
  "sessions",
  "users",
  "records",
  "uploads",
  "file_events",
  "orders",
  "events",
  "requests",
  "provider",
  "prompt_cache",
  "bans",
  "faults",
  "clock",
]);
export type StatePartName = z.infer<typeof statePartSchema>;

export const resetRequestSchema = z.strictObject({
  parts: list(statePartSchema)
    .min(1)
    .optional()
    .describe(
      "Parts to reset. Default: all. `records`: items of all collections; their seeds return. `users`: users and their sessions. `orders`: orders with refunds and histories. `provider`: the simulator with its people and settings. `prompt_cache`: states of prompts on the disk.",
    )
    .meta({ examples: [["records", "requests"]] }),
});

export const resetResultSchema = z.object({
  removed: z
    .partialRecord(statePartSchema, z.number().int())
    .describe("Number of removed items by part; for the clock, milliseconds."),
});

/** The parts of a fixture. */
export const fixturePartSchema = z.enum([
  "users",
  "sessions",
  "records",
  "uploads",
  "file_events",
  "orders",
  "provider",
]);
export type FixturePart = z.infer<typeof fixturePartSchema>;

export const fixtureName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, conditions["condition.fixtureName"])
  .meta({ examples: ["one-article"] });

export const fixtureRequestSchema = z.strictObject({
  parts: list(fixturePartSchema)
    .min(1)
    .default(["users", "sessions", "records", "uploads", "orders", "provider"])
    .describe(
      "Parts of the fixture. `users` and `sessions` require each other. `provider`: the simulator with its people and settings.",
    ),
});

export const fixtureSchema = z
  .object({
    name: fixtureName,
    saved_at: z.string().meta({ format: "date-time" }),
    parts: z.array(fixturePartSchema),
    rows: z.partialRecord(fixturePartSchema, z.number().int()).describe("Number of items by part."),
  })
  .meta({ title: "Fixture" });
export type Fixture = z.infer<typeof fixtureSchema>;

export const fixtureListSchema = z.object({
  folder: z
    .string()
    .describe("Folder of the fixtures, with one subfolder each. You can copy it or put it under version control."),
  fixtures: z.array(fixtureSchema),
});
