/** Routes of the route file at the paths of collections: the answers do not depend on which file was there first. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { authorized, itemSchema, userFiles } from "../../support/app/user-files.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let app: TestApp;
let files: ReturnType<typeof userFiles>;
beforeAll(async () => {
  app = await startTestApp();
  files = userFiles(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const open = { hearth: { access: "none", seed: [{ name: "first" }] } };
const schema = itemSchema({ name: { type: "string" } }, open);
const get = async (path: string, method = "GET", { url } = app) => (await fetch(url + path, { method })).text();

it("a user's route yields its path to a collection that is added later", async () => {
  await files.loadRoutes({ routes: [{ path: "/api/birds", body: "fixed" }] });
  expect(await get("/api/birds")).toBe("fixed");
  await files.load("birds", schema);
  expect(JSON.parse(await get("/api/birds"))).toMatchObject([{ name: "first" }]);
  await files.remove("birds");
  expect(await get("/api/birds")).toBe("fixed");
});

it("a user's route is served once the collection with its path is removed", async () => {
  await files.load("crows", schema);
  await files.failRoutes({ routes: [{ path: "/api/crows", body: "fixed" }] });
  await files.remove("crows");
  await expect.poll(() => get("/api/crows")).toBe("fixed");
});

const routes = [
  { path: "/api/games/1", body: "fixed" },
  { method: "PATCH", path: "/api/games", body: "fixed" },
  { path: "/api/games/{game}/rules", body: "rules" },
];

it.each(["the collection", "the route file"])(
  "a route yields to a collection that has all its paths, at run time and after a restart: %s first",
  async (first) => {
    using folder = temporaryFolder();
    async function expectGames(of: TestApp): Promise<void> {
      expect(JSON.parse(await get("/api/games/1", "GET", of))).toMatchObject({ name: "first" });
      expect(await get("/api/games", "PATCH", of)).toContain("PATCH");
      expect(await get("/api/games/1/rules", "GET", of)).toBe("rules");
      const told = await userFiles(of).events("routes.failed");
      expect(
        told
          .map(({ line, message }) => [line, message])
          .reverse()
          .slice(0, 2),
      ).toEqual([
        [4, expect.stringMatching(/GET \/api\/games\/1 .*the collection games .*\/api\/games\/\{id\}/)],
        [9, expect.stringMatching(/PATCH \/api\/games .*the collection games .*\/api\/games/)],
      ]);
    }
    {
      await using running = await startTestApp({ folder: folder.path });
      const theirs = userFiles(running);
      if (first === "the collection") await theirs.load("games", schema);
      await theirs.loadRoutes({ routes });
      if (first !== "the collection") await theirs.told("routes.failed", () => theirs.write("games", schema));
      await expect.poll(() => theirs.events("routes.failed")).toHaveLength(2);
      await expectGames(running);
    }
    await using again = await startTestApp({ folder: folder.path });
    await get("/api/games", "GET", again);
    await expectGames(again);
  },
);

it("a hidden route is reported once for each version of the route file", async () => {
  await files.load("hens", schema);
  const ofHens = async () =>
    (await files.events("routes.failed")).filter(({ message }) => String(message).includes("hens"));
  await files.failRoutes({ routes: [{ path: "/api/hens/1" }] });
  await files.load("ducks", schema);
  expect(await ofHens()).toHaveLength(1);
  await files.failRoutes({ routes: [{ path: "/api/hens/1" }, { path: "/pond" }] });
  expect(await ofHens()).toHaveLength(2);
});

it("a schema that would hide a user's route is refused in the console, naming the route", async () => {
  const save = async (properties: object) => {
    const reply = await fetch(`${app.url}/console/api/collections/seeds/schema`, {
      method: "PUT",
      headers: { ...authorized, "content-type": "application/json" },
      body: JSON.stringify({ text: JSON.stringify(itemSchema(properties)) }),
    });
    return { status: reply.status, body: (await reply.json()) as { code: string; Message: string } };
  };
  const name = { type: "string" };
  await files.load("trees", schema);
  await files.loadRoutes({ routes: [{ path: "/api/seeds/1", body: "fixed" }, { path: "/api/trees/1/seeds" }] });
  const refused = await save({ name });
  expect([refused.status, refused.body.code]).toEqual([400, "bad_schema"]);
  expect(refused.body.Message).toContain("GET /api/seeds/1");
  expect(await get("/api/seeds/1")).toBe("fixed");

  await files.loadRoutes({ routes: [{ path: "/api/trees/1/seeds" }] });
  expect((await save({ name })).status).toBe(200);
  const nested = await save({ name, tree: { type: "integer", "x-hearth": { ref: "trees" } } });
  expect([nested.status, nested.body.Message]).toEqual([400, expect.stringContaining("GET /api/trees/1/seeds")]);
});
