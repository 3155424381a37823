import { z } from "zod";

/** A fault of a test that hit something. */
export const faultMarkSchema = z
  .object({
    key: z
      .string()
      .describe("Key of the fault: `sim-` or `route-` with its id, for a fault of the platform or of a route."),
    kind: z.string().describe("Kind of the fault. Faults of routes: route_status, route_cut or route_delay."),
  })
  .meta({ title: "FaultMark", examples: [{ key: "sim-2", kind: "http_status" }] });
export type FaultMark = z.infer<typeof faultMarkSchema>;

/** Marks as one text, such as `sim-2:http_status route-1:route_delay`; null for none. */
export const faultMarksText = (marks: readonly FaultMark[]): string | null =>
  marks.length === 0 ? null : marks.map(({ key, kind }) => `${key}:${kind}`).join(" ");

export function parseFaultMarks(text: string): FaultMark[] {
  return text.split(" ").map((mark) => {
    const [key = "", kind = ""] = mark.split(":");
    return { key, kind };
  });
}
