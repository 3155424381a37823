/** The state with which `hearth exec` begins, and which it leaves. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Runs `hearth ARGS` in a temporary folder of its own. */
const hearth = (args: readonly string[], temporary: string) => runCommand(args, { TMPDIR: temporary });

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("the state of hearth exec", () => {
  it("starts with the data, people, collections and routes of a folder, and goes on with what it wrote when the command had ended", async () => {
    using folder = temporaryFolder();
    using project = temporaryFolder();
    mkdirSync(join(project.path, "collections"));
    const schema = {
      type: "object",
      required: ["name"],
      properties: { name: { type: "string" } },
      "x-hearth": { seed: [{ name: "seeded" }] },
    };
    writeFileSync(join(project.path, "collections", "books.json"), JSON.stringify(schema));
    writeFileSync(
      join(project.path, "routes.json"),
      JSON.stringify({ routes: [{ method: "GET", path: "/api/weather", status: 200, body: { wind: 3 } }] }),
    );
    const writer = `
      const { HEARTH_APP_URL: app, HEARTH_PROVIDER_URL: provider, HEARTH_TOKEN: token } = process.env;
      const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
      await fetch(app + "/api/articles", { method: "POST", headers, body: JSON.stringify({ title: "kept" }) });
      await fetch(provider + "/sim/users/ada", { method: "PATCH", headers, body: JSON.stringify({ phone_number: "13800000000" }) });
      await fetch(app + "/api/books");
      const books = await (await fetch(app + "/api/books", { headers })).json();
      const { origin, searchParams } = new URL(process.env.HEARTH_CONSOLE_URL);
      const ofConsole = { ...headers, authorization: "Bearer " + searchParams.get("token") };
      const asked = await fetch(origin + "/console/api/tokens", { method: "POST", headers: ofConsole, body: '{"user": "ada"}' });
      const ada = { ...headers, authorization: "Bearer " + (await asked.json()).access_token };
      const post = (path, body) => fetch(app + path, { method: "POST", headers: ada, body: JSON.stringify(body) });
      await post("/api/articles", { title: "private", private: true });
      await post("/api/accounts", { user: "ada", password: "secret-password" });
      await post("/api/orders", { description: "Tea", amount: 199 });
      const file = new FormData();
      file.append("[]", new Blob([Buffer.from("${pixel}", "base64")]), "me.png");
      await fetch(app + "/api/uploads", { method: "POST", headers: { authorization: ada.authorization }, body: file });
      console.log(JSON.stringify([books.data.map(({ name }) => name), await (await fetch(app + "/api/weather")).json()]));
    `;
    const reader = `
      const { HEARTH_APP_URL: app, HEARTH_PROVIDER_URL: provider, HEARTH_TOKEN: token } = process.env;
      const { origin, searchParams } = new URL(process.env.HEARTH_CONSOLE_URL);
      const headers = { authorization: "Bearer " + searchParams.get("token"), "content-type": "application/json" };
      const read = async (token, path) => {
        const answer = await (await fetch(app + path, { headers: { authorization: "Bearer " + token } })).json();
        return answer.data ?? answer;
      };
      const tokenOf = async (user) => {
        const asked = await fetch(origin + "/console/api/tokens", { method: "POST", headers, body: JSON.stringify({ user }) });
        return (await asked.json()).access_token;
      };
      const data = await read(token, "/api/articles");
      const seen = [];
      // Bob is the first who logs in, and must not get what is Ada's.
      for (const user of ["bob", "ada"]) {
        const own = await tokenOf(user);
        for (const path of ["/api/articles", "/api/accounts", "/api/orders", "/api/uploads"]) {
          const found = await read(own, path);
          seen.push((found.uploads ?? found.orders ?? found).length);
        }
      }
      const content = await fetch(app + "/api/uploads/1/content", { headers: { authorization: "Bearer " + await tokenOf("ada") } });
      console.error(JSON.stringify([seen, Buffer.from(await content.arrayBuffer()).toString("base64")]));
      const users = await (await fetch(provider + "/sim/users")).json();
      const ada = users.find(({ name }) => name === "ada");
      console.log(JSON.stringify([...data.map(({ title }) => title), ada?.phone_number]));
    `;
    const coverage = join(project.path, "coverage.json");
    const inline = (script: string) => ["--", process.execPath, "--input-type=module", "-e", script];
    const first = await hearth(
      ["exec", "--import", project.path, "--export-on-exit", project.path, "--coverage", coverage, ...inline(writer)],
      folder.path,
    );
    expect(JSON.parse(first.stdout)).toEqual([["seeded"], { wind: 3 }]);
    const { called, routes } = JSON.parse(readFileSync(coverage, "utf8"));
    expect(called).toBe(9);
    expect(routes).toContainEqual({ method: "GET", path: "/api/books", answers: { 200: 1, 401: 1 } });
    expect(routes).toContainEqual({ method: "GET", path: "/api/weather", answers: { 200: 1 } });
    expect(routes).toContainEqual({ method: "DELETE", path: "/api/books/{id}", answers: {} });
    for (const file of ["data.json", "provider.json", join("hearth-fixture", "data.json")])
      expect(statSync(join(project.path, file)).mode & 0o077).toBe(0);
    const second = await hearth(["exec", "--import", project.path, ...inline(reader)], folder.path);
    expect(second.stderr).toBe(`${JSON.stringify([[1, 0, 0, 0, 2, 1, 1, 1], pixel])}\n`);
    expect(JSON.parse(second.stdout)).toEqual(["kept", "13800000000"]);
    rmSync(join(project.path, "hearth-fixture"), { recursive: true });
    const third = await hearth(["exec", "--import", project.path, "--", process.execPath, "-e", ""], folder.path);
    expect([third.code, third.stderr]).toEqual([0, expect.stringContaining("no contents of uploads: 1 are left out")]);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("does not run the command when the initial data is invalid, and names the field", async () => {
    using folder = temporaryFolder();
    using project = temporaryFolder();
    const state = { format: "hearth-provider/1", parts: { identity: { sim_users: { rows: [{ name: "ada" }] } } } };
    writeFileSync(join(project.path, "provider.json"), JSON.stringify(state));
    const { code, stdout, stderr } = await hearth(
      ["exec", "--import", project.path, "--", process.execPath, "-p", "'ran'"],
      folder.path,
    );
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("identity.sim_users.0.")]);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
