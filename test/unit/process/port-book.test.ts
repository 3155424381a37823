import { expect, it } from "vitest";
import { createPortBook } from "../../../server/supervisor/port-book.ts";

const chosen = { host: "127.0.0.1", app_port: 80, provider_port: 443, stand_in_port: 0, model_port: 0 };
const up = { name: "app", state: "up", restarts: 0, since: "2026-01-01T00:00:00.000Z" } as const;

it("keeps a port that addresses leave out, because it is their scheme's own", () => {
  const book = createPortBook(chosen);
  book.learn({
    ...up,
    urls: { app: "http://127.0.0.1:80", provider: "https://127.0.0.1:443", stand_in: "http://127.0.0.1:40404" },
  });
  expect(book.current()).toMatchObject({ app_port: 80, provider_port: 443, stand_in_port: 40_404 });
  expect(book.appUrl()).toBe("http://127.0.0.1:80");
});

it("takes over a changed port of the stand-in, and keeps one that was chosen for 0 while that stays", () => {
  const book = createPortBook(chosen);
  const answersAt = (port: number) => book.learn({ ...up, urls: { stand_in: `http://127.0.0.1:${String(port)}` } });
  answersAt(40_404);
  book.take({ stand_in_port: 0 });
  expect(book.current().stand_in_port).toBe(40_404);
  book.take({ stand_in_port: 4000 });
  expect(book.current().stand_in_port).toBe(4000);
});
