import { describe, expect, it } from "vitest";
import { createLoginCodes } from "../../../server/app/console/login-codes.ts";

const minuteMs = 60_000;

/** Codes with a clock of their own. */
function codesAt() {
  const clock = { ms: 1_000_000 };
  return { clock, codes: createLoginCodes(() => clock.ms) };
}

describe("login codes", () => {
  it("end after 15 minutes", () => {
    const { clock, codes } = codesAt();
    const [early, late] = [codes.create().code, codes.create().code];
    clock.ms += 15 * minuteMs - 1;
    expect(codes.redeem(early, "here")).toEqual({ outcome: "good" });
    clock.ms += 1;
    expect(codes.redeem(late, "here")).toEqual({ outcome: "wrong" });
  });

  it("are dropped, the oldest first, when many are open", () => {
    const { codes } = codesAt();
    const made = Array.from({ length: 50 }, () => codes.create().code);
    const outcomes = made.toReversed().map((code) => codes.redeem(code, "here").outcome);
    const good = outcomes.filter((one) => one === "good").length;
    expect(good).toBeLessThan(50);
    expect(outcomes.slice(0, good).every((one) => one === "good")).toBe(true);
  });

  it("that are wrong are refused for a minute after many of them, separately for this machine and others; a good one never", () => {
    const { clock, codes } = codesAt();
    const { code } = codes.create();
    while (codes.redeem("WRONG", "elsewhere").outcome === "wrong");
    expect(codes.redeem("WRONG", "elsewhere")).toEqual({ outcome: "later", waitSeconds: 60 });
    clock.ms += minuteMs / 2;
    expect(codes.redeem("WRONG", "elsewhere")).toEqual({ outcome: "later", waitSeconds: 30 });
    expect(codes.redeem("WRONG", "here")).toEqual({ outcome: "wrong" });
    expect(codes.redeem(code, "elsewhere")).toEqual({ outcome: "good" });
    clock.ms += minuteMs / 2;
    expect(codes.redeem("WRONG", "elsewhere")).toEqual({ outcome: "wrong" });
  });
});
