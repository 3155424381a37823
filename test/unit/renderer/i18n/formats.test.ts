import { describe, expect, it } from "vitest";
import { createFormats } from "../../../../renderer/i18n/formats.ts";
import { wireTexts } from "../../../../renderer/i18n/zh/wire-texts.ts";
import { summarize } from "../../../../renderer/features/events/summarize.ts";
import type { CloudEvent } from "../../../../server/contract/console/traffic/stored-event.ts";

const event = (id: number): CloudEvent => ({
  specversion: "1.0",
  id: String(id),
  source: "/app",
  type: "file.changed",
  time: "2026-01-01T00:00:00.000Z",
  datacontenttype: "application/json",
  data: {},
});

describe("The summary of an event", () => {
  const formats = createFormats("en");
  it("names the change and the file", () => {
    const data = { id: 1, df: "/tmp/图.png", ev: "create", received_at: "2026-01-01T00:00:00Z" };
    expect(summarize({ ...event(1), data }, formats)).toBe("create · /tmp/图.png");
  });
  it("says why a notification was refused by its code in the reader's language, and by its text where the code is unknown", () => {
    const refused = (reason: string, name?: string) => ({
      ...event(1),
      type: "payment.refused",
      data: { out_trade_no: "T1", name, reason, text: "By the server." },
    });
    const chinese = (text: string) => wireTexts[text] ?? text;
    expect(summarize(refused("amount_mismatch", "Tea"), formats)).toBe(
      "Tea · amount_mismatch · The amount differs from the order's.",
    );
    expect(summarize(refused("amount_mismatch", "茶"), formats, chinese)).toBe(
      "茶 · amount_mismatch · 金额与订单不符。",
    );
    expect(summarize(refused("odd"), formats, chinese)).toBe("T1 · odd · By the server.");
  });
  it("shows the data of an unknown type or shape", () => {
    expect(summarize({ ...event(1), type: "new.kind", data: { a: 1 } }, formats)).toBe('{"a":1}');
    expect(summarize({ ...event(1), data: { a: 1 } }, formats)).toBe('{"a":1}');
  });
});

describe("The formats", () => {
  it("writes sizes, durations and times in the reader's language", () => {
    const english = createFormats("en");
    const now = Date.parse("2026-01-01T01:00:00Z");
    expect([english.bytes(0), english.bytes(999), english.bytes(12_345), english.bytes(2_345_678)]).toEqual([
      "0\u00a0B",
      "999\u00a0B",
      "12.3\u00a0kB",
      "2.3\u00a0MB",
    ]);
    expect(english.relative("2026-01-01T00:55:00Z", now)).toBe("5m ago");
    expect(english.relative("2026-01-01T01:00:02Z", now)).toBe("now");
    expect(createFormats("zh-CN").relative("2026-01-01T00:55:00Z", now)).toContain("5分钟前");
    const durations = [3.14, 310, 2_450, 12_340, 150_000, 5_400_000, 86_400_000];
    expect(durations.map((ms) => english.duration(ms))).toEqual([
      "3.1ms",
      "310ms",
      "2.45s",
      "12.3s",
      "2.5m",
      "1.5h",
      "1d",
    ]);
    expect(createFormats("zh-CN").duration(86_400_000)).toBe("1天");
    expect([english.money(1_250), createFormats("zh-CN").money(1)]).toEqual(["¥12.50", "¥0.01"]);
    expect([english.rate(0.25), english.rate(1_234)]).toEqual(["0.3/s", "1,234/s"]);
  });

  it("writes a row's time to the millisecond, and its day instead where it is not of today", () => {
    const now = new Date(2026, 10, 20, 23, 59).getTime();
    const at = (day: number) => new Date(2026, 10, day, 4, 5, 6, 78).toISOString();
    expect(createFormats("en").rowTime(at(20), now)).toBe("04:05:06.078");
    expect(createFormats("en").rowTime(at(19), now)).toBe("Nov 19, 04:05");
    expect(createFormats("zh-CN").rowTime(at(20), now)).toBe("04:05:06.078");
    expect(createFormats("zh-CN").rowTime(at(19), now)).toBe("11月19日 04:05");
  });

  it("names the day of a time's end only where it is another than that of its begin", () => {
    const english = createFormats("en");
    const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();
    expect(english.span(at(20, 14), at(20, 15))).toBe("Nov 20, 14:00:00 – 15:00:00");
    expect(english.span(at(20, 14), at(21, 14))).toBe("Nov 20, 14:00:00 – Nov 21, 14:00:00");
    expect(english.span(at(20, 23), at(21, 0))).toBe("Nov 20, 23:00:00 – Nov 21, 00:00:00");
    expect(createFormats("zh-CN").span(at(20, 14), at(21, 14))).toBe("11月20日 14:00:00 – 11月21日 14:00:00");
  });
});
