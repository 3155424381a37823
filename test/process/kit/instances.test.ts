/** Instances that `startHearth` of the built package starts in this process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, vi } from "vitest";
import type * as Kit from "../../../server/kit/start-hearth.ts";
import { patienceMs } from "../../support/eventually.ts";
import { isRunning } from "../../support/process/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const built = pathToFileURL(join(import.meta.dirname, "../../../dist/kit.js")).href;
const source = pathToFileURL(join(import.meta.dirname, "../../../server/kit/instance-folder.ts")).href;
const { startHearth } = (await import(built)) as typeof Kit;

const books = {
  type: "object",
  required: ["title"],
  properties: { title: { type: "string" } },
  "x-hearth": { owner: "anyone", seed: [{ title: "Tea" }] },
};

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("startHearth", () => {
  it("keeps, resets and restores the state of an instance, moves its clock and lets requests be awaited", async () => {
    await using hearth = await startHearth({
      model: false,
      collections: { books },
      users: { ada: { phone_number: "13800000001" } },
    });
    const titles = async () => {
      const { body } = await ada.request<{ data: { title: string }[] }>("GET", "/api/books");
      return body.data.map(({ title }) => title).sort();
    };
    const ada = await hearth.phone("ada");
    const person = await fetch(`${hearth.urls.provider}/sim/users/ada`);
    expect(await person.json()).toMatchObject({ phone_number: "13800000001" });
    await ada.request("POST", "/api/books", { title: "Cup" });
    const withCup = await hearth.snapshot();
    await ada.request("POST", "/api/books", { title: "Pot" });
    await hearth.restore(withCup);
    expect(await titles()).toEqual(["Cup", "Tea"]);

    const posted = await hearth.waitForRequest({ method: "POST", path: "/api/books", timeout_ms: patienceMs });
    expect([posted.status, posted.request.body.text]).toEqual([201, '{"title":"Pot"}']);
    await expect(hearth.waitForRequest({ path: "/api/cups", timeout_ms: 1 })).rejects.toThrow("The latest requests:");
    expect(JSON.parse(await hearth.har()).log.entries.length).toBeGreaterThan(2);

    const withToken = async () =>
      (await fetch(`${hearth.urls.app}/api/books`, { headers: { Authorization: `Bearer ${hearth.token}` } })).status;
    {
      await using fault = await hearth.inject({ path: "/api/books", status: 503 });
      expect([fault.id, await withToken()]).toEqual([1, 503]);
    }
    expect(await withToken()).toBe(200);
    await hearth.clock.advance(24 * 3600 * 1000);
    expect(await withToken()).toBe(401);
    expect((await hearth.clock.now()).getTime()).toBeGreaterThan(Date.now() + 23 * 3600 * 1000);
    await hearth.reset();
    expect(await withToken()).toBe(200);
    expect(await titles()).toEqual(["Tea"]);
    const { log } = JSON.parse(await hearth.har());
    expect(log.entries.some(({ request }: { request: { method: string } }) => request.method === "PUT")).toBe(false);
  });

  it("watches no folder after a reset that a test has had watched", async () => {
    using folder = temporaryFolder();
    await using hearth = await startHearth({ model: false });
    const { origin, searchParams } = new URL(hearth.urls.console);
    const headers = { Authorization: `Bearer ${searchParams.get("token")}`, "Content-Type": "application/json" };
    const watched = `${origin}/console/api/watched-folders`;
    const body = JSON.stringify({ path: folder.path });
    expect((await fetch(watched, { method: "POST", headers, body })).status).toBe(201);
    await hearth.reset();
    expect(await (await fetch(watched, { headers })).json()).toEqual({ folders: [] });
  });

  it("pays an order as the platform's client does, and injects the platform's faults", async () => {
    await using hearth = await startHearth({ model: false });
    const ada = await hearth.phone("ada");
    const place = async () => {
      const { body } = await ada.request<{ data: { id: number; pay: Record<string, string> } }>("POST", "/api/orders", {
        description: "Tea",
        amount: 199,
      });
      return body.data;
    };
    const stateOf = async (id: number) =>
      (await ada.request<{ data: { trade_state: string } }>("GET", `/api/orders/${id}`)).body.data.trade_state;
    await expect(ada.pay({ body: {} } as never)).rejects.toThrow("pass its order, reply.body.data");
    const order = await place();
    expect(await ada.pay(order, "cancel")).toEqual({ errMsg: "requestPayment:fail cancel" });
    expect(await stateOf(order.id)).toBe("NOTPAY");
    expect(await ada.pay(order)).toEqual({ errMsg: "requestPayment:ok" });
    expect(await stateOf(order.id)).toBe("SUCCESS");
    await hearth.inject({ kind: "err_code", params: { code: "SYSTEMERROR" } });
    const refused = await ada.request("POST", "/api/orders", { description: "Tea", amount: 199 });
    expect(refused.status).toBeGreaterThanOrEqual(400);
  });

  it("signs by the platform keys that a test chooses, until a reset", async () => {
    await using hearth = await startHearth({ model: false });
    const keys = async () =>
      (await (await fetch(`${hearth.urls.provider}/sim/platform-key`)).json()) as { mode: string; serial: string };
    const { serial } = await keys();
    await hearth.usePlatformKeys({ mode: "switching", public_key_share: 10 });
    expect(await keys()).toMatchObject({ mode: "switching", public_key_share: 10, serial });
    await hearth.usePlatformKeys({ mode: "public_key" }, "1900000109");
    expect((await keys()).serial).toMatch(/^PUB_KEY_ID_/);
    await hearth.reset();
    expect(await keys()).toMatchObject({ mode: "certificate", serial });
    await expect(hearth.usePlatformKeys({ mode: "none" as never })).rejects.toThrow("mode");
  });

  it("refuses a setting and a collection that are not valid in one line that names them", async () => {
    await expect(startHearth({ payment_version: "v9" as never })).rejects.toThrow(
      /^--payment-version: "v9" is not valid/,
    );
    await expect(startHearth({ model: false, collections: { books: { type: "nothing" } } })).rejects.toThrow(
      /\bbooks[.]json:1:\d+: /,
    );
  });

  it.each(["../../evil", "a/b", ".books", "Books"])(
    "refuses the collection %s before there is a file",
    async (name) => {
      await expect(startHearth({ model: false, collections: { [name]: books } })).rejects.toThrow(
        `collections: "${name}" is not valid in a path`,
      );
    },
  );

  it("refuses a model that cannot be served, and takes an option that is undefined for none", async () => {
    await expect(startHearth({ model: "/no/such.gguf", log_level: undefined as never })).rejects.toThrow(
      "--model /no/such.gguf cannot be used",
    );
  });

  it("names what it does not know, removes faults that are gone, and answers what is no JSON", async () => {
    await using hearth = await startHearth({ model: false });
    const ada = await hearth.phone("ada");
    await ada.request("GET", "/api/articles");
    await expect(hearth.waitForRequest({ pathh: "/x" } as never)).rejects.toThrow('unknown name "pathh" in the query');
    expect(await hearth.waitForRequest({ path: "/api/articles", method: undefined as never })).toMatchObject({
      status: 200,
    });
    {
      await using removed = await hearth.inject({ path: "/api/articles", status: 503 });
      await removed.remove();
      await using reset = await hearth.inject({ kind: "notification_lost" });
      await hearth.reset();
      expect(reset.id).toBeGreaterThan(0);
    }
    const page = await ada.request<string>("GET", "/swagger/");
    expect([page.status, page.body]).toEqual([200, expect.stringContaining("<html")]);
    const avatar = new FormData();
    avatar.append("Avatar", new Blob([pixel]), "me.png");
    // What the upload redirects to is a page.
    expect((await ada.request<string>("POST", "/api/avatars", avatar)).status).toBeLessThan(400);
    const { body } = await ada.upload("me.png", pixel);
    expect((await ada.request("GET", `/api/uploads/${body.id}/content`)).body).toEqual(new Uint8Array(pixel));
  });

  it("has nothing of what was under way in the records after a reset, and takes any number of logins", async () => {
    await using hearth = await startHearth({ model: false });
    for (let round = 0; round < 60; round++) {
      const ada = await hearth.phone("ada");
      const { body } = await ada.request<{ data: { pay: Record<string, string> } }>("POST", "/api/orders", {
        description: "Tea",
        amount: 199,
      });
      await ada.pay(body.data);
      await hearth.reset();
      const { log } = JSON.parse(await hearth.har()) as { log: { entries: { request: { url: string } }[] } };
      expect(log.entries.map(({ request }) => request.url)).toEqual([]);
    }
  });

  it("starts where nobody can log in, of which only the token tells, and stands in on a port of its own", async () => {
    await using closed = await startHearth({ model: false, stand_in: true, maintenance: true });
    const nowhere = "http://127.0.0.1:9";
    await using alone = await startHearth({ model: false, stand_in: true, identity_base_url: nowhere });
    for (const hearth of [closed, alone]) expect(() => hearth.token).toThrow("POST /tokens returned 503");
    const ports = [closed, alone].map(({ urls }) => Number(new URL(urls.stand_in ?? "").port));
    expect(new Set(ports).size).toBe(2);
    await closed.reset();
  });

  it("lets a listener for once end the process in its own time", async () => {
    using folder = temporaryFolder();
    const program = `import { setImmediate } from "node:timers/promises";
    import { makeFolder } from ${JSON.stringify(source)};
    process.once("SIGTERM", async () => {
      for (let round = 0; round < 10; round++) await setImmediate();
      console.log("cleaned up");
      process.exit(5);
    });
    makeFolder();
    console.log("ready");
    setInterval(() => undefined, 1e6);`;
    const env = { ...process.env, TMPDIR: folder.path };
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { env });
    let printed = "";
    child.stdout.on("data", (text: Buffer) => (printed += text.toString()));
    await expect.poll(() => printed).toBe("ready\n");
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([5, null]);
    expect(printed).toBe("ready\ncleaned up\n");
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const)(
    "leaves nothing behind when %s ends the process",
    async (signal) => {
      using folder = temporaryFolder();
      const program = `const { startHearth } = await import(${JSON.stringify(built)});
      await startHearth({ model: false });
      console.log("ready");
      setInterval(() => undefined, 1e6);`;
      const env = { ...process.env, TMPDIR: folder.path };
      const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { env });
      await once(child.stdout, "data");
      child.kill(signal);
      expect(await once(child, "exit")).toEqual([null, signal]);
      await expect.poll(() => readdirSync(folder.path)).toEqual([]);
    },
  );

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "leaves nothing behind when %s ends the process while it starts",
    async (signal) => {
      using folder = temporaryFolder();
      const program = `import { subscribe } from "node:diagnostics_channel";
      const { startHearth } = await import(${JSON.stringify(built)});
      subscribe("child_process", ({ process: service }) => setImmediate(() => console.log(service.pid)));
      await startHearth({ model: false });`;
      const env = { ...process.env, TMPDIR: folder.path };
      const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { env });
      const [pid] = (await once(child.stdout, "data")) as [Buffer];
      child.kill(signal);
      expect(await once(child, "exit")).toEqual([null, signal]);
      await expect.poll(() => isRunning(Number(pid))).toBe(false);
      expect(readdirSync(folder.path)).toEqual([]);
    },
  );

  it("runs two instances that share nothing, and leaves nothing of them behind", async () => {
    using folder = temporaryFolder();
    vi.stubEnv("TMPDIR", folder.path);
    try {
      const [one, other] = await Promise.all([startHearth({ model: false }), startHearth({ model: false })]);
      const ada = await one.phone("ada");
      await ada.request("POST", "/api/articles", { title: "Of one" });
      const { body } = await (await other.phone("ada")).request<{ data: unknown[] }>("GET", "/api/articles");
      expect(body.data).toEqual([]);
      const folders = readdirSync(folder.path).filter((name) => name.startsWith("hearthkit-"));
      expect(folders).toHaveLength(2);
      await Promise.all([one.stop(), other[Symbol.asyncDispose]()]);
      expect(readdirSync(folder.path)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
