import { describe, expect, it } from "vitest";
import { ConsoleError } from "../../../../../renderer/api/http/console-error.ts";
import type { UploadRequest } from "../../../../../renderer/api/http/upload-request.ts";
import { UploadQueue } from "../../../../../renderer/features/uploads/upload-queue.ts";

interface Sending extends UploadRequest {
  finish: (id: number) => void;
  fail: (error: Error) => void;
}

/** An upload that ends when the test says so, or is aborted. */
function setUp() {
  const sending: Sending[] = [];
  const tokens: string[] = [];
  let stored = 0;
  const queue = new UploadQueue({
    upload: (request) =>
      new Promise((finish, fail) => {
        request.signal.addEventListener("abort", () => fail(new DOMException("cancelled", "AbortError")));
        sending.push({ ...request, finish, fail });
      }),
    createToken: async () => {
      tokens.push(`token ${tokens.length + 1}`);
      return tokens.at(-1) ?? "";
    },
    onStored: () => (stored += 1),
  });
  const states = () => queue.tasks.getState().map(({ name, state }) => `${name} ${state}`);
  return { queue, sending, tokens, states, stored: () => stored };
}
const file = (name: string) => new File(["0123456789"], name);

describe("The upload queue", () => {
  it("sends two at a time with one token, reports progress, and goes on with the next", async () => {
    const { queue, sending, tokens, states, stored } = setUp();
    queue.add([file("a.png"), file("b.png"), file("c.png")], "project");
    await expect.poll(() => sending.length).toBe(2);
    expect(states()).toEqual(["a.png sending", "b.png sending", "c.png waiting"]);
    expect(sending.map(({ token, type }) => [token, type])).toEqual([
      ["token 1", "project"],
      ["token 1", "project"],
    ]);
    sending[0]?.onProgress(4, 10);
    expect(queue.tasks.getState()[0]).toMatchObject({ state: "sending", sent: 4, size: 10 });
    sending[0]?.finish(7);
    await expect.poll(() => sending.length).toBe(3);
    expect(queue.tasks.getState()[0]).toMatchObject({ state: "stored", id: 7 });
    expect([stored(), tokens.length]).toEqual([1, 1]);
  });

  it("shows the server's own sentence for a refused file", async () => {
    const { queue, sending } = setUp();
    queue.add([file("virus.exe")], "project");
    await expect.poll(() => sending.length).toBe(1);
    sending[0]?.fail(new ConsoleError(400, "virus.exe is not an accepted file type."));
    await expect
      .poll(() => queue.tasks.getState()[0])
      .toMatchObject({ state: "failed", reason: "virus.exe is not an accepted file type." });
  });

  it("takes a new token once when the session has ended", async () => {
    const { queue, sending, tokens } = setUp();
    queue.add([file("a.png")], "project");
    await expect.poll(() => sending.length).toBe(1);
    sending[0]?.fail(new ConsoleError(401, "log in"));
    await expect.poll(() => sending.length).toBe(2);
    expect([sending[1]?.token, tokens.length]).toEqual(["token 2", 2]);
    sending[1]?.fail(new ConsoleError(401, "log in"));
    await expect.poll(() => queue.tasks.getState()[0]?.state).toBe("failed");
  });

  it("cancels a running file and one that waits, and takes finished ones off the list", async () => {
    const { queue, sending, states } = setUp();
    queue.add([file("a.png"), file("b.png"), file("c.png")], "project");
    await expect.poll(() => sending.length).toBe(2);
    const [first, , third] = queue.tasks.getState();
    queue.cancel(third?.key ?? 0);
    queue.cancel(first?.key ?? 0);
    await expect.poll(states).toEqual(["a.png cancelled", "b.png sending", "c.png cancelled"]);
    queue.dismiss(first?.key ?? 0);
    expect(states()).toEqual(["b.png sending", "c.png cancelled"]);
    expect(sending.length).toBe(2);
  });
});
