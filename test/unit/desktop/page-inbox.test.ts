import { expect, it } from "vitest";
import { PageInbox } from "../../../electron/window/page-inbox.ts";

it("What the window's page is asked for waits until it listens, also on another page, and is asked once", () => {
  const asked: unknown[] = [];
  const inbox = new PageInbox((one) => asked.push(one));
  inbox.add({ page: "/uploads" });
  inbox.add({ page: "/payments" });
  inbox.add({ file: "/models/a.gguf" });
  expect([asked, inbox.waiting]).toEqual([[], { page: "/payments", file: "/models/a.gguf" }]);
  inbox.startListening();
  inbox.add({ page: "/settings" });
  expect(asked).toEqual([{ page: "/payments", file: "/models/a.gguf" }, { page: "/settings" }]);

  inbox.stopListening();
  inbox.add({ file: "/models/b.gguf" });
  expect(asked).toHaveLength(2);
  inbox.startListening();
  inbox.stopListening();
  inbox.startListening();
  expect(asked.slice(2)).toEqual([{ file: "/models/b.gguf" }]);
});
