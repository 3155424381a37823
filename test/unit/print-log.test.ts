import { describe, expect, it } from "vitest";
import type { Settings } from "../../server/contract/settings.ts";
import { createLogPrinter } from "../../server/process/print-log.ts";

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

  it("prints the stack of an error below its line", () => {
    const { printer, text } = printerOf();
    const err = { message: "no", stack: "Error: no\n    at here" };
    printer.line("app", JSON.stringify({ level: "error", time: 0, service: "app", msg: "failed", err }));
    expect(text()).toMatch(/failed\nError: no\n {4}at here\n$/);
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
