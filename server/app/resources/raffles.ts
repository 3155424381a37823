import { z } from "zod";
import { maxPageSize } from "../../contract/resources.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

export const winnerSchema = z.object({
  prize: z.number().int().describe("1 for the first draw."),
  entry: z.number().int().describe("Position of the winner in entries, from 0: two entries may have the same name."),
  winner: z.string(),
  drawn_at: z.string(),
});

/** Raffles: a title, who takes part, and how many prizes there are. Draws are in raffle-draws.ts. */
export const raffles: ResourceDefinition = {
  name: "raffles",
  singular: "Raffle",
  input: z
    .object({
      title: z.string().min(1).max(200),
      entries: z.array(z.string().min(1).max(200)).min(1).max(10_000),
      prizes: z.number().int().min(1).max(10_000),
    })
    .refine(({ entries, prizes }) => prizes <= entries.length, {
      path: ["prizes"],
      message: "must not be more than there are entries",
    }),
  output: z.object({
    title: z.string(),
    entries: z.array(z.string()),
    prizes: z.number().int(),
    winners: z.array(winnerSchema).default([]).describe("Who has won so far; the server writes it."),
  }),
  pageLimit: maxPageSize,
  filterFields: ["title"],
  searchFields: ["title"],
  secretFields: [],
  serverFields: ["winners"],
  uniqueFields: [],
  ownerOnly: true,
};
