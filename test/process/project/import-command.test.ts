/** `hearth import`: an OpenAPI document becomes a file that the project keeps. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const document = (path: string) =>
  `openapi: 3.0.3\npaths:\n  ${path}:\n    get: { responses: { "204": { description: "" } } }\n`;

it("hearth import writes the document as JSON, and replaces an edited file only with --yes", async () => {
  using project = temporaryFolder();
  const inProject = (...names: string[]) => join(project.path, ...names);
  const hearth = (...args: string[]) =>
    runCommand(args, { TMPDIR: inProject("tmp"), XDG_DATA_HOME: inProject("tmp") }, project.path);
  const file = inProject("data", "apis", "pets.json");
  const data = ["--data-dir", inProject("data")];
  writeFileSync(inProject("pets.yaml"), document("/pets"));

  const tried = await hearth("import", "pets.yaml", "--dry-run", ...data);
  expect(tried.stdout).toContain("GET /pets");
  expect(existsSync(file)).toBe(false);

  expect((await hearth("import", "pets.yaml", ...data)).stdout).toContain(`wrote ${file}`);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ paths: { "/pets": {} } });
  expect((await hearth("import", "pets.yaml", ...data)).stdout).toContain(`kept ${file}`);

  const edited = readFileSync(file, "utf8").replace("/pets", "/cats");
  writeFileSync(file, edited);
  const refused = await hearth("import", "pets.yaml", ...data);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("--yes")]);
  expect(readFileSync(file, "utf8")).toBe(edited);
  await hearth("import", "pets.yaml", "--yes", ...data);
  expect(readFileSync(file, "utf8")).toContain("/pets");
}, 60_000);

it("hearth import writes through no link of a clone", async () => {
  using project = temporaryFolder();
  const [data, outside] = [join(project.path, "data"), join(project.path, "outside")];
  mkdirSync(data);
  mkdirSync(outside);
  symlinkSync(outside, join(data, "apis"));
  writeFileSync(join(project.path, "pets.yaml"), document("/pets"));
  const refused = await runCommand(
    ["import", "pets.yaml", "--data-dir", data],
    { TMPDIR: project.path, XDG_DATA_HOME: project.path },
    project.path,
  );
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("a link leads out")]);
  expect(existsSync(join(outside, "pets.json"))).toBe(false);
}, 60_000);
