import { describe, expect, it } from "vitest";
import { createAccess } from "../../../../renderer/api/http/access.ts";
import { createSend } from "../../../../renderer/api/http/call.ts";
import { written } from "../../../../renderer/shell/login/login-code.ts";
import { listen } from "../../../support/process/listen.ts";

/** A server that knows the browser or does not, and the client of a page. */
async function setUp() {
  const access = createAccess();
  const state = { isKnown: false, asked: [] as string[] };
  const server = await listen((request, response) => {
    state.asked.push(`${request.method} ${request.url}`);
    const { isKnown } = state;
    if (request.url === "/behind") response.writeHead(401).end('{"error":"the registry wants a login"}');
    else if (isKnown) response.end("known");
    else response.writeHead(401).end('{"Message":"Log in","code":"console_token_required"}');
  });
  const send = createSend((path, init) => fetch(new URL(path, server.url), init), access);
  return { access, state, send, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe("A request of the page without a valid session", () => {
  it("waits for a login without repeating the question, and then gets its answer", async () => {
    await using page = await setUp();
    const first = page.send("/a", { method: "POST", body: "typed" });
    await expect.poll(page.access.loggedOut.getState).toBe(true);
    const second = page.send("/b");
    page.state.isKnown = true;
    page.access.gained();
    expect(await Promise.all([first, second].map(async (reply) => (await reply).text()))).toEqual(["known", "known"]);
    expect(page.state.asked).toEqual(["POST /a", "POST /a", "GET /b"]);
  });

  it("says that no answer came in words of the page, not of the browser", async () => {
    const send = createSend(
      () => Promise.reject(new TypeError("Failed to fetch")),
      createAccess(),
      (failure) => `${failure} 没有应答`,
    );
    await expect(send("/a")).rejects.toMatchObject({ status: 0, message: "offline 没有应答" });
  });

  it("says that an answer was cut in words of the page, not of the browser, and of a cancelled one nothing", async () => {
    await using server = await listen((_, response) => response.write("half", () => response.destroy()));
    await using silent = await listen((_, response) => response.write("half"));
    const send = createSend(fetch, createAccess(), (failure) => `${failure} 断开`);
    const cut = await send(server.url);
    expect(cut.status).toBe(200);
    await expect(cut.text()).rejects.toMatchObject({ name: "ConsoleError", status: 0, message: "cut 断开" });
    const empty = Object.defineProperty(new Response(null, { status: 204 }), "body", { value: new ReadableStream() });
    expect(await createSend(() => Promise.resolve(empty), createAccess())("/a")).toBe(empty);
    const leaving = new AbortController();
    const left = await send(silent.url, { signal: leaving.signal });
    leaving.abort();
    await expect(left.text()).rejects.toMatchObject({ name: "AbortError" });
  });

  it("ends when it is cancelled", async () => {
    await using page = await setUp();
    const leaving = new AbortController();
    const asked = page.send("/a", { signal: leaving.signal });
    await expect.poll(page.access.loggedOut.getState).toBe(true);
    leaving.abort();
    await expect(asked).rejects.toThrow(/abort/);
  });

  it("tells a page that was in before from one that was not", async () => {
    await using page = await setUp();
    const first = page.send("/a");
    await expect.poll(page.access.loggedOut.getState).toBe(true);
    expect(page.access.wasIn()).toBe(false);
    page.state.isKnown = true;
    page.access.gained();
    await first;
    expect(page.access.wasIn()).toBe(true);
    await using other = await setUp();
    other.state.isKnown = true;
    await other.send("/a");
    expect(other.access.wasIn()).toBe(true);
  });

  it("treats a service's own 401 like any other error", async () => {
    await using page = await setUp();
    await expect(page.send("/behind")).rejects.toThrow("the registry wants a login");
    expect(page.access.loggedOut.getState()).toBe(false);
  });

  it("does not ask for a login again because of an answer to an older request", () => {
    const access = createAccess();
    const [early, late] = [access.now(), access.now()];
    access.lost(early);
    access.gained();
    access.lost(late);
    expect(access.loggedOut.getState()).toBe(false);
    access.lost(access.now());
    expect(access.loggedOut.getState()).toBe(true);
  });
});

describe("A code that is typed", () => {
  it.each([
    ["abcd", "ABCD"],
    ["abcd3", "ABCD-3"],
    ["abcd-3fgh", "ABCD-3FGH"],
    [" abcd 3fgh9 ", "ABCD-3FGH-9"],
    ["abcd3fgh9klmn", "ABCD-3FGH-9KLM"],
    ["http://127.0.0.1:3080/console/users?user=3&code=abcd-3fgh", "ABCD-3FGH"],
  ])("%j is written %s", (typed, expected) => expect(written(typed)).toBe(expected));
});
