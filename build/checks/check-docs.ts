/** `node build/checks/check-docs.ts`: the links of the book lead somewhere, the rules that comments cite exist, generated pages are current. */
import { linkProblems, outdatedPages, referenceProblems } from "../docs/docs-problems.ts";
import { generatedPages } from "../docs/generated-pages.ts";
import { root } from "../root.ts";

const problems = [...linkProblems(root), ...referenceProblems(root), ...outdatedPages(root, await generatedPages())];
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
}
