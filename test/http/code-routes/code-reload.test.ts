import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeApiDocs } from "../../../build/docs/write-api-docs.ts";
import { routesFile, startWithCode } from "../../support/app/code-files.ts";
import { itemSchema, userFiles } from "../../support/app/user-files.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("the code of routes", () => {
  it("is loaded again when its file changes, or one that it imports, and keeps its state", async () => {
    const main = (text: string) =>
      `import { word } from "./lib/word";\n${routesFile(`get("/word", () => word + "${text}"); get("/count", () => (state.n = (state.n ?? 0) + 1));`)}`;
    await using code = await startWithCode("", {
      files: { "hearth.routes.ts": main("!"), "lib/word.ts": 'export const word: string = "one";' },
    });
    expect(await code.json("/word")).toBe("one!");
    expect(await code.json("/count")).toBe(1);
    code.write("lib/word.ts", 'export const word: string = "two";');
    await code.answers("/word", "two!");
    code.write("hearth.routes.ts", main("?"));
    await code.answers("/word", "two?");
    expect(await code.json("/count")).toBe(2);
  });

  it("has the files of the folder routes, too, but not those that are no routes", async () => {
    await using code = await startWithCode('get("/main", () => 1);', {
      files: {
        "routes/shop.ts": routesFile('get("/shop", () => 2);'),
        "routes/other.ts": 'throw new Error("not to be run");',
      },
    });
    expect([await code.json("/main"), await code.json("/shop")]).toEqual([1, 2]);
    code.write("routes/more.ts", routesFile('get("/more", () => 3);'));
    await code.answers("/more", "3");
    rmSync(join(code.folder, "routes/shop.ts"));
    await expect.poll(async () => (await code.get("/shop")).status).toBe(404);
  });

  const broken: [what: string, text: string, message: RegExp, line: number, column: number][] = [
    ["invalid syntax", "\nexport default { a b };", /SyntaxError: Unexpected token/, 2, 20],
    ["TypeScript that Node cannot strip", "enum A { B }\nexport default A;", /enum is not supported/, 1, 1],
    ["no routes", "export default 1;", /no default export of defineRoutes/, 1, 1],
    ["an exception", '\nthrow new Error("at load");', /Error: at load/, 2, 7],
    ["a missing module", 'import "./none.ts";', /Cannot find module/, 1, 1],
    ["a path of another form", routesFile('get("/a/:id", () => 1);'), /write \{id\} instead of :id/, 3, 1],
    ["a path of Hearth", routesFile('get("/api/articles/new", () => 1);'), /can never be reached/, 3, 1],
    ["a route twice", routesFile('get("/a", () => 1);\nget("/a", () => 1);'), /GET \/a is added twice/, 4, 1],
    ["an unknown option", routesFile('get("/a", { logn: true }, () => 1);'), /logn is no option/, 3, 1],
    ["no handler", routesFile('get("/a");'), /needs a function as its handler/, 3, 1],
  ];
  it.each(broken)(
    "with %s is refused with its place, and the version before stays in service",
    async (_what, text, message, line, column) => {
      await using code = await startWithCode('get("/steady", () => "steady");');
      expect(await code.json("/steady")).toBe("steady");
      const event = await userFiles(code.app).told("routes.failed", () => code.write("hearth.routes.ts", text));
      expect(event).toMatchObject({ file: code.main, line, column, in_service: true });
      expect(event["message"]).toMatch(message);
      expect(await code.json("/steady")).toBe("steady");
    },
  );

  it("that fails at the start is served once it is mended", async () => {
    await using code = await startWithCode("get(");
    expect((await code.get("/late")).status).toBe(404);
    code.write("hearth.routes.ts", routesFile('get("/late", () => "here");'));
    await code.answers("/late", "here");
  });

  it("comes before collections and the route file, method by method, and is part of the description", async () => {
    using docs = temporaryFolder();
    await writeApiDocs(docs.path);
    await using code = await startWithCode(
      `post("/api/birds", { description: "Adds a bird." }, () => "code"); get("/fixed", () => "code");`,
      { apiDocs: { folder: docs.path } },
    );
    const files = userFiles(code.app);
    await files.load("birds", itemSchema({ name: { type: "string" } }));
    await files.loadRoutes({ routes: [{ path: "/fixed", body: "file" }] });
    expect(await code.json("/api/birds", { method: "POST" })).toBe("code");
    expect((await code.get("/api/birds")).status).toBe(401);
    expect(await code.json("/fixed")).toBe("code");
    const { paths } = (await code.json("/swagger/docs/v1")) as {
      paths: Record<string, Record<string, { operationId: string; tags: string[]; description: string }>>;
    };
    expect(paths["/api/birds"]?.["post"]).toMatchObject({ operationId: "postApiBirds", tags: ["code-routes"] });
    expect(paths["/api/birds"]?.["post"]?.description).toContain("Adds a bird.");
    expect(Object.keys(paths["/fixed"] ?? {})).toEqual(["get"]);
  });
});
