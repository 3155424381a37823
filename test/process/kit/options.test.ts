/** What `startHearth` of the built package makes of options that name files. */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type * as Kit from "../../../server/kit/start-hearth.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const run = promisify(execFile);
const built = pathToFileURL(join(import.meta.dirname, "../../../dist/kit.js")).href;
const { startHearth } = (await import(built)) as typeof Kit;

const hello = { method: "GET", path: "/api/hello", body: { hi: true } };
const books = { type: "object", properties: { title: { type: "string" } } };

/** What a program with `startHearth` prints that runs in this folder. */
async function printedIn(folder: string, program: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const text = `const { startHearth } = await import(${JSON.stringify(built)});\n${program}`;
  return (
    await run(process.execPath, ["--input-type=module", "--eval", text], {
      cwd: folder,
      env: { ...process.env, ...env },
    })
  ).stdout;
}

describe("paths in the options", () => {
  it("are relative to the working directory, whose configuration is not read", async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "routes.json"), JSON.stringify({ routes: [hello] }));
    mkdirSync(join(folder.path, "cols"));
    writeFileSync(join(folder.path, "cols/books.json"), JSON.stringify(books));
    writeFileSync(join(folder.path, "hearth.config.json"), JSON.stringify({ maintenance: true }));
    const program = `
      await using hearth = await startHearth({ model: false, routes_file: "routes.json", collections_dir: "cols" });
      const ada = await hearth.phone("ada");
      for (const path of ["/api/hello", "/api/books"]) console.log((await ada.request("GET", path)).status);`;
    expect(await printedIn(folder.path, program)).toBe("200\n200\n");
  });

  it("are named as they are where there is no such file", async () => {
    using folder = temporaryFolder();
    const program = `await startHearth({ model: "./nope.gguf" }).catch(({ message }) => console.log(message));`;
    const message = await printedIn(folder.path, program);
    expect(message).toMatch(/^--model .*nope[.]gguf cannot be used/);
    expect(message).not.toContain("hearthkit-");
  });

  it.each([
    { app_port: 1 },
    { data_dir: "data" },
    { headless: false },
    { ready_file: "ready.json" },
    { update_url: "https://example.com/" },
  ])("are refused with what startHearth decides by itself: %o", async (setting) => {
    const [name] = Object.keys(setting);
    await expect(startHearth(setting as never)).rejects.toThrow(`${name} cannot be set here: startHearth chooses it`);
  });

  it("are refused where they name the collections a second time", async () => {
    await expect(startHearth({ collections: {}, collections_dir: "cols" })).rejects.toThrow(
      "collections and collections_dir are both set: set only one",
    );
  });
});

describe("variables of the environment", () => {
  it("are no options, but for the keys of upstreams that the options name", async () => {
    using folder = temporaryFolder();
    const program = `
      import { createServer } from "node:http";
      const keys = new Set();
      const upstream = createServer(({ headers }, response) => {
        keys.add(headers.authorization);
        response.end('{"models":[]}');
      });
      await new Promise((listens) => upstream.listen(0, "127.0.0.1", listens));
      const address = "http://127.0.0.1:" + upstream.address().port;
      {
        await using hearth = await startHearth({ upstreams: ["gpu=" + address + "?key_env=OLLAMA_API_KEY"] });
        console.log((await fetch(hearth.urls.model + "/api/tags")).status);
      }
      upstream.close();
      console.log(...keys);`;
    const env = { HEARTH_CONSOLE_TOKEN: "short", OLLAMA_ORIGINS: "ftp://x", OLLAMA_API_KEY: "sk-1" };
    expect(await printedIn(folder.path, program, env)).toBe("200\nBearer sk-1\n");
  });
});
