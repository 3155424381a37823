import { z } from "zod";
import { conditions } from "../../contract/messages/en/conditions.ts";
import { list } from "../../contract/bounded-lists.ts";
import { refuse } from "../../http/http-error.ts";
import { maxPageSize } from "../../contract/app/resources.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

export const winnerSchema = z
  .object({
    prize: z
      .number()
      .int()
      .describe("1 for the first draw.")
      .meta({ examples: [1] }),
    entry: z
      .number()
      .int()
      .describe("Index of the winner in entries, from 0. Two entries may have the same name.")
      .meta({ examples: [2] }),
    winner: z.string().meta({ examples: ["Chen"] }),
    drawn_at: z.string().meta({ format: "date-time", examples: ["2026-11-20T08:30:00.000Z"] }),
  })
  .meta({ title: "Winner" });

const input = z
  .object({
    title: z
      .string()
      .min(1)
      .max(200)
      .meta({ examples: ["Summer raffle"] }),
    entries: list(z.string().min(1).max(200))
      .min(1)
      .max(10_000)
      .describe("Participants.")
      .meta({ examples: [["Alice", "Bob", "Chen"]] }),
    prizes: z
      .number()
      .int()
      .min(1)
      .max(10_000)
      .describe("Number of prizes, at most the number of entries.")
      .meta({ examples: [2] }),
  })
  .refine(({ entries, prizes }) => prizes <= entries.length, {
    path: ["prizes"],
    message: conditions["is.tooManyPrizes"],
  });

/** @throws HttpError 403: who has won stays, and so do the prizes that were drawn */
function requireWinners(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): void {
  const drawn = (before["winners"] ?? []) as z.infer<typeof winnerSchema>[];
  const { entries, prizes } = after as z.infer<typeof input>;
  const moved = drawn.some(({ entry, winner }) => entries[entry] !== winner);
  if (!moved && prizes >= drawn.length) return;
  const field = moved ? "entries" : "prizes";
  throw refuse("raffle.drawn", { field }, { details: [{ field, problem: conditions["is.drawn"] }] });
}

const winners = z.array(winnerSchema).default([]).describe("Winners so far. Set by the server.");

/** Raffles, each with a title, participants and a number of prizes. Winners are drawn one by one. */
export const raffles: ResourceDefinition = {
  name: "raffles",
  singular: "Raffle",
  input,
  stored: input.safeExtend({ winners }),
  output: z.object({
    title: z.string().meta({ examples: ["Summer raffle"] }),
    entries: z.array(z.string()).meta({ examples: [["Alice", "Bob", "Chen"]] }),
    prizes: z
      .number()
      .int()
      .meta({ examples: [2] }),
    winners,
  }),
  pageLimit: maxPageSize,
  filterFields: ["title", "prizes"],
  searchFields: ["title"],
  secretFields: [],
  serverFields: ["winners"],
  uniqueFields: [],
  ownerOnly: true,
  beforeChange: requireWinners,
};
