import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { linkProblems, outdatedPages, referenceProblems } from "../../../build/docs/docs-problems.ts";
import { generatedPages } from "../../../build/docs/generated-pages.ts";
import { readPage } from "../../../build/docs/read-page.ts";
import { root } from "../../../build/root.ts";
import { settingsSchema, type SettingName } from "../../../server/contract/process/settings.ts";
import { productRowTexts, pushRowTexts } from "../../../server/contract/provider/checks/product-row-texts.ts";
import {
  isOfReceiver,
  isRowFor,
  receiverCheckRow,
  type ReceiverCheckRow,
} from "../../../server/contract/provider/checks/receiver-check-rows.ts";
import { projectFileRules } from "../../../server/process/settings/project-file.ts";
import { flagName, variableName } from "../../../server/process/settings/read-settings.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** What a check finds in a folder of these files. */
function problemsIn(check: (folder: string) => string[], files: Readonly<Record<string, string>>): string[] {
  using folder = temporaryFolder();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, file)), { recursive: true });
    writeFileSync(join(folder.path, file), text);
  }
  return check(folder.path);
}

describe("the check of links", () => {
  const target = { "docs/target.md": "# Some `code` & a Heading\n\n## Twice\n\n## Twice\n", "docs/picture.png": "" };

  it("takes links to pages, folders, headings, files and other sites", () => {
    const links = [
      "[page](docs/target.md) [folder](docs) ![picture](docs/picture.png)",
      "[heading](docs/target.md#some-code--a-heading) [second](docs/target.md#twice-1)",
      "[site](https://example.invalid/#x) [own](#here) `[code](nowhere.md)`",
      "```text\n[code](nowhere.md)\n```\n\n# Here",
    ];
    expect(problemsIn(linkProblems, { ...target, "README.md": links.join("\n") })).toEqual([]);
  });

  it("names the line of a link to a file that does not exist", () => {
    const page = "# Guide\n\nSee [this](../gone.md).\n";
    expect(problemsIn(linkProblems, { "docs/guides/a.md": page })).toEqual([
      "docs/guides/a.md:3: ../gone.md leads to docs/gone.md, which does not exist; correct the path",
    ]);
  });

  it("names the line of a link out of the repository, of a picture and of a reference definition", () => {
    const page = '[out](../up.md)\n<img src="gone.png">\n\n[x]: gone.md\n';
    expect(problemsIn(linkProblems, { "README.md": page }).map((problem) => problem.split(" ")[0])).toEqual([
      "README.md:1:",
      "README.md:2:",
      "README.md:4:",
    ]);
  });

  it("names a heading that a page does not have, and those that it has", () => {
    const [problem] = problemsIn(linkProblems, { ...target, "CHANGELOG.md": "[x](docs/target.md#thrice)" });
    expect(problem).toMatch(
      /^CHANGELOG\.md:1: .*no heading of docs\/target\.md has the anchor thrice; use one of .*twice/,
    );
  });
});

describe("the check of references", () => {
  // Put together, so that this file itself cites nothing.
  const cite = (kind: string, cited: string) => `(${kind}: ${cited})`;
  const book = {
    "docs/specification.md":
      "## Errors\n\n| 403.1 | Forbidden | A wrong password. |\n\n## Version 2\n\n1. One.\n2. Two,\n   still two.\n",
    "docs/contracts/payments.md": "## Receiver\n\n1. Reads.\n",
  };
  const problemsOf = (code: string) => problemsIn(referenceProblems, { ...book, "server/a.ts": code });

  it("takes headings, with and without numbers of rules, over the ends of lines too", () => {
    const code = [
      `/** Refuses ${cite("spec", "Errors 403.1; Version 2 1, 2")}. */`,
      `// ${cite("contract", "payments, Receiver 1")}`,
      `/**\n * Long ${cite("spec", "Version\n * 2 2")}.\n */`,
      "export const f = (spec: EndpointSpec, other: number) => spec;",
    ];
    expect(problemsOf(code.join("\n"))).toEqual([]);
  });

  it("names file and line of a section that is not there", () => {
    expect(problemsOf(`const a = 1;\n// ${cite("spec", "Nowhere 2")}`)).toEqual([
      expect.stringMatching(/^server\/a\.ts:2: .*"Nowhere 2" is no heading of docs\/specification\.md/),
    ]);
  });

  it("names a rule that its section does not have", () => {
    expect(problemsOf(`/* ${cite("spec", "Errors 403.1, 403.9")} */`)).toEqual([
      expect.stringContaining('docs/specification.md has no rule 403.9 under "Errors"'),
    ]);
  });

  it("names a contract that is not there", () => {
    expect(problemsOf(`// ${cite("contract", "weather, Rain")}`)).toEqual([
      expect.stringContaining("there is no docs/contracts/weather.md"),
    ]);
  });
});

describe("generated pages", () => {
  it("are out of date when the program says something else, or when they are not there", () => {
    const generated = { "docs/a.md": "new\n", "docs/b.md": "same\n", "docs/c.md": "missing\n" };
    const check = (folder: string) => outdatedPages(folder, generated);
    expect(problemsIn(check, { "docs/a.md": "old\n", "docs/b.md": "same\n" })).toEqual([
      "docs/a.md: it is not what the program says now; run npm run docs",
      "docs/c.md: it is not what the program says now; run npm run docs",
    ]);
  });

  it("name every setting with its flag and variable under a heading of its own", async () => {
    const page = (await generatedPages())["docs/reference/settings.md"] ?? "";
    const names = Object.keys(settingsSchema.shape) as SettingName[];
    expect(readPage(page).sections.map(({ heading }) => heading)).toEqual(expect.arrayContaining(names));
    for (const name of names) expect(page).toContain(`\`${flagName(name)}\``);
    for (const name of names) expect(page).toContain(`\`${variableName(name)}\``);
  });
});

describe("the guides to the check of a receiver", () => {
  const isOfPayments = (row: ReceiverCheckRow) =>
    isOfReceiver(row) && !(row in productRowTexts) && !(row in pushRowTexts);

  it.each(["docs/guides", "docs/guides/zh-CN"])("in %s say how many rows each version has", (folder) => {
    const text = readFileSync(join(root, folder, "check-your-receiver.md"), "utf8");
    const rowsOf = (version: "v2" | "v3") =>
      receiverCheckRow.options.filter((row) => isOfPayments(row) && isRowFor(row, version)).length;
    expect(text.match(/\d+(?= (?:mistakes with|with version|种))/g)).toEqual([
      String(rowsOf("v2")),
      String(rowsOf("v3")),
    ]);
  });
});

describe("the guides to other machines", () => {
  it.each(["docs/guides", "docs/guides/zh-CN"])("in %s name every setting that a clone may not bring", (folder) => {
    const text = readFileSync(join(root, folder, "other-machines.md"), "utf8");
    const list = text.split("\n\n").find((part) => part.startsWith("- ") && part.includes("`ready_file`"));
    const named = list?.match(/(?<=`)[a-z_]+(?=`)/g);
    const refused = (Object.keys(projectFileRules) as SettingName[]).filter(
      (name) => projectFileRules[name] === "elsewhere",
    );
    expect(named?.sort()).toEqual([...refused, "cors_origins"].sort());
  });
});
