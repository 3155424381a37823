import { expect, it } from "vitest";
import { createPageInbox } from "../../../electron/window/page-inbox.ts";

it("What the window's page is asked for waits until it listens, also on another page, and is asked once", () => {
  const asked: unknown[] = [];
  const inbox = createPageInbox((one) => asked.push(one));
  inbox.add({ page: "/uploads" });
  inbox.add({ page: "/payments" });
  inbox.add({ file: "/models/a.gguf" });
  expect([asked, inbox.waiting()]).toEqual([[], { page: "/payments", file: "/models/a.gguf" }]);
  inbox.listens();
  inbox.add({ page: "/settings" });
  expect(asked).toEqual([{ page: "/payments", file: "/models/a.gguf" }, { page: "/settings" }]);

  inbox.leaves();
  inbox.add({ file: "/models/b.gguf" });
  expect(asked).toHaveLength(2);
  inbox.listens();
  inbox.leaves();
  inbox.listens();
  expect(asked.slice(2)).toEqual([{ file: "/models/b.gguf" }]);
});
