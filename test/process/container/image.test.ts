/** The image that build/container/Dockerfile describes, started without Docker; see test/support/process/container.ts. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { pngBytes } from "../../support/files.ts";
import { chatOnce } from "../../support/model/chat.ts";
import {
  buildImage,
  commandOf,
  ended,
  hasContainers,
  healthCommandOf,
  inContainer,
} from "../../support/process/container.ts";
import { asConsole, logIn } from "../../support/process/console-access.ts";
import { readWhenWritten } from "../../support/process/read-when-written.ts";
import { startS3Server, type S3Server } from "../../support/store/s3-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** As a proxy on this machine passes on what another machine asks. */
const passedOn = { "X-Forwarded-For": "192.0.2.1" };

describe.runIf(hasContainers)("the container image", () => {
  const world = new AsyncDisposableStack();
  const folder = world.use(temporaryFolder());
  const volume = join(folder.path, "volume");
  let image: Awaited<ReturnType<typeof buildImage>>;
  let store: S3Server;
  let hearth: ReturnType<typeof inContainer>;
  let over: ReturnType<typeof ended>;
  let urls: ReadyFileContent & { model: string };
  beforeAll(async () => {
    image = await buildImage(folder.path);
  });
  beforeAll(async () => {
    mkdirSync(volume);
    store = world.use(await startS3Server());
    const uploads = Object.entries(store.settings).map(([name, value]) => [`HEARTH_${name.toUpperCase()}`, value]);
    const ports = { HEARTH_APP_PORT: "0", HEARTH_PROVIDER_PORT: "0", HEARTH_MODEL_PORT: "0" };
    const env = { ...ports, ...Object.fromEntries(uploads), HEARTH_READY_FILE: "/data/ready.json" };
    hearth = inContainer(image, volume, commandOf(image), env);
    over = ended(hearth);
    world.defer(async () => {
      hearth.kill("SIGTERM");
      await over;
    });
    const ready = readWhenWritten(join(volume, "ready.json"));
    const failed = over.then(({ output }) => Promise.reject(new Error(`Hearth ended:\n${output}`)));
    urls = JSON.parse(await Promise.race([ready, failed]));
  });
  afterAll(() => world.disposeAsync());

  /** Another program in the container, as by `docker exec`. */
  const exec = (command: readonly string[], env = {}) => ended(inContainer(image, volume, command, env));
  const portOf = (url: string) => ({ HEARTH_APP_PORT: new URL(url).port });

  it("runs as a user without rights, who can write to its volume and to /tmp alone", async () => {
    const program = `
      const { writeFileSync } = require("node:fs");
      const tried = ["/", "/opt/hearth", "/usr/bin", "/home/node", "/data", "/tmp"].map((folder) => {
        try { writeFileSync(folder + "/written", ""); return "written"; } catch ({ code }) { return code; }
      });
      console.log(JSON.stringify([process.getuid(), process.getgid(), ...tried]));`;
    const { output } = await exec(["node", "-e", program]);
    expect(output.trim()).toBe(JSON.stringify([1000, 1000, ...Array(4).fill("EROFS"), "written", "written"]));
  });

  it("is ready, and its health check says so, and that nobody answers elsewhere", async () => {
    expect((await fetch(`${urls.app}/readyz`)).status).toBe(200);
    expect(await exec(healthCommandOf(image), portOf(urls.app))).toEqual({ code: 0, output: "" });
    // The discard port, where nothing listens.
    expect(await exec(healthCommandOf(image), { HEARTH_APP_PORT: "9" })).toEqual({ code: 1, output: "" });
  });

  it("stores an upload in the bucket and makes its thumbnail", async () => {
    const headers = await logIn(urls);
    const form = new FormData();
    form.append("[]", new File([pngBytes(40, 40)], "a.png"));
    const stored = await fetch(`${urls.app}/api/uploads`, { method: "POST", body: form, headers });
    const { id } = (await stored.json()) as { id: number };
    expect(await store.objects()).toHaveLength(1);
    expect((await fetch(`${urls.app}/api/uploads/${String(id)}/thumbnail`, { headers })).status).toBe(200);
  });

  it("chats, with other machines only by a key that `hearth keys add` has made", async () => {
    expect(await chatOnce(urls.model)).toMatchObject({ done: true });
    const asked = async (headers = {}) =>
      (await fetch(`${urls.model}/api/tags`, { headers: { ...passedOn, ...headers } })).status;
    expect(await asked()).toBe(401);
    const { output } = await exec(["hearth", "keys", "add", "ci", "--scopes", "model:use"]);
    const [key = ""] = /hearth_\S+/.exec(output) ?? [];
    await expect.poll(() => asked({ Authorization: `Bearer ${key}` })).toBe(200);
  });

  it("ends by itself at SIGTERM, though somebody follows its events", async () => {
    const events = await fetch(`${urls.app}/console/api/events/stream`, { headers: asConsole(urls.console) });
    expect(events.status).toBe(200);
    const read = events.text().catch(() => "");
    hearth.kill("SIGTERM");
    const { code, output } = await over;
    expect(code, output).toBe(0);
    await read;
  });
});
