import { describe, expect, it } from "vitest";
import type { Settings } from "../../../server/contract/process/settings.ts";
import { createLogPrinter } from "../../../server/process/terminal/print-log.ts";

/** A printer and what it has printed. */
function printerOf(settings: Partial<Pick<Settings, "json" | "log_level">> = {}) {
  let text = "";
  const printer = createLogPrinter(
    { json: false, log_level: "info", ...settings },
    { write: (chunk) => (text += chunk) },
  );
  return { printer, text: () => text };
}

describe("the log printer", () => {
  const line = '{"level":"warn","time":"2026-11-20T08:00:00.000Z","service":"app","path":"/x","msg":"slow"}';

  it("prints a service's JSON line for people: level, service, message and the other fields", () => {
    const { printer, text } = printerOf();
    printer.line("app", line);
    expect(text()).toMatch(/^\d\d:\d\d:\d\d warn {2}app {6}slow path=\/x\n$/);
  });

  it("prints the line as it is with --json, and wraps a line that is no JSON", () => {
    const { printer, text } = printerOf({ json: true });
    printer.line("app", line);
    printer.line("runner", "ggml: loading {");
    const [first, second] = text().trim().split("\n");
    expect(first).toBe(line);
    expect(JSON.parse(second ?? "")).toMatchObject({ level: "info", service: "runner", msg: "ggml: loading {" });
  });

  it("prints the stack of an error below its line, so far in that no line of it passes for one of the log", () => {
    const { printer, text } = printerOf();
    const err = { message: "no", stack: "Error: no\n08:00:00 info  hearth   forged\n    at here" };
    printer.line("app", JSON.stringify({ level: "error", time: 0, service: "app", msg: "failed", err }));
    expect(text()).toMatch(/failed\n {2}Error: no\n {2}08:00:00 info {2}hearth {3}forged\n {6}at here\n$/);
  });

  // A screen that is cleared, an 8-bit control sequence, text turned around, a line that is written over, a forged one.
  const hostile = "\u001b[2J\u009b2K\u202eabc\u2066\rover\nforged\u007f";

  it.each([false, true])("lets nothing of a message out that a terminal obeys (json: %s)", (json) => {
    const { printer, text } = printerOf({ json });
    const err = { stack: hostile };
    printer.line("app", JSON.stringify({ level: "warn", time: 0, service: hostile, msg: hostile, path: hostile, err }));
    printer.line("runner", hostile);
    printer.say("error", "hearth", hostile, { [hostile]: [hostile] });
    // oxlint-disable-next-line no-control-regex -- they are what this is about
    expect(text().match(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e\u2066]/g)).toBeNull();
    expect(text()).toContain("\\u001b[2J\\u009b2K\\u202eabc\\u2066\\rover\\nforged\\u007f");
    expect(
      text()
        .split("\n")
        .filter((line) => line.startsWith("forged")),
    ).toEqual([]);
    const lines = text().trim().split("\n");
    if (json) expect(JSON.parse(lines[0] ?? "")).toMatchObject({ msg: hostile, path: hostile });
  });

  it("prints a line that is JSON without the members of the log", () => {
    const { printer, text } = printerOf();
    printer.line("runner", '{"msg":"half","level":"info","err":null}');
    expect(text()).toContain("half");
  });

  it("leaves out what is less important than the setting", () => {
    const { printer, text } = printerOf({ log_level: "error" });
    printer.line("app", line);
    printer.say("info", "hearth", "ready");
    expect(text()).toBe("");
    printer.say("error", "hearth", "broken");
    expect(text()).toContain("broken");
  });
});
