import { expect, it } from "vitest";
import { createAskFolder } from "../../../server/watcher/folder/ask-folder.ts";

/** File systems of which those in `silent` say nothing. */
function fileSystems(withinMs: number, ...silent: string[]) {
  const looks: string[] = [];
  const owed = new Map<string, () => void>();
  const ask = createAskFolder((dir) => {
    looks.push(dir);
    if (dir === "/gone") return Promise.reject(new Error("ENOENT"));
    return silent.includes(dir) ? new Promise<void>((resolve) => owed.set(dir, resolve)) : Promise.resolve();
  }, withinMs);
  return { ask, looks, answer: (dir: string) => owed.get(dir)?.() };
}
const refusal = (dir: string) => `${dir}: cannot be read, because a file system does not respond`;

it("takes a refusal for an answer", async () => {
  const { ask } = fileSystems(60_000);
  await ask("/there");
  await ask("/gone");
});

it("does not ask a file system again that owes an answer, and refuses at once from the second time on", async () => {
  const { ask, looks, answer } = fileSystems(1, "/share");
  await Promise.all([1, 2].map(() => expect(ask("/share")).rejects.toThrow(refusal("/share"))));
  await expect(ask("/share")).rejects.toThrow(refusal("/share"));
  expect(looks).toEqual(["/share"]);
  answer("/share");
  await expect.poll(() => (ask("/share").catch(() => undefined), looks)).toEqual(["/share", "/share"]);
  answer("/share");
});

it("leaves two of four threads to others, however many folders are on a share that is away", async () => {
  const { ask, looks, answer } = fileSystems(1, "/share/1", "/share/2");
  for (const dir of ["/share/1", "/share/2", "/share/3"]) await expect(ask(dir)).rejects.toThrow(refusal(dir));
  expect(looks).toEqual(["/share/1", "/share/2"]);
  answer("/share/1");
  await expect.poll(() => ask("/share/3").then(() => "answered", String)).toBe("answered");
  answer("/share/2");
});
