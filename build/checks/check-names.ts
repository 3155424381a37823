/** `node build/checks/check-names.ts`: no two files export the same name, except for the notions listed here. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.ts";

/** Each is one notion that two services, two stores or two languages have. */
const sharedNames = new Set([
  // The texts of a page in English and in Chinese.
  ...[
    "apiDocs",
    "chat",
    "collections",
    "devices",
    "events",
    "faultNames",
    "faults",
    "fidelity",
    "fileEvents",
    "firstRun",
    "guides",
    "keyTexts",
    "models",
  ],
  ...["overview", "payments", "paymentProducts", "phone", "requests", "settings", "shell", "uploads", "users"],
  // SQLite and PostgreSQL.
  ...["createDialect", "createGroupedWrites", "openDatabase", "toStoreError"],
  // Payments at the merchant and at the provider.
  ...["Order"],
  // The application server and the watcher.
  "createExclusion",
  // The console and the command line.
  "modelTransport",
  // The reference client and the generated one, and what a client receives.
  ...["createHearthClient", "StatusPackage"],
  // The kit, with the names that its users import.
  ...["RecordedRequest", "RequestFilter", "fail", "test"],
]);

const exported = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;

const filesByName = new Map<string, Set<string>>();
for (const file of globSync("{server,electron,renderer}/**/*.{ts,tsx}", { cwd: root })) {
  for (const [, name = ""] of readFileSync(join(root, file), "utf8").matchAll(exported)) {
    const files = filesByName.get(name) ?? new Set();
    filesByName.set(name, files.add(file));
  }
}

const doubled = [...filesByName].filter(([, files]) => files.size > 1);
const unlisted = doubled.filter(([name]) => !sharedNames.has(name));
const unneeded = [...sharedNames].filter((name) => (filesByName.get(name)?.size ?? 0) < 2);
const problems = [
  ...unlisted.map(([name, files]) => `${name} is exported by ${[...files].join(", ")}: give each a name of its own`),
  ...unneeded.map((name) => `build/checks/check-names.ts: ${name} is exported by one file only: take it off the list`),
];
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
} else console.log(`${String(doubled.length)} names are exported by more than one file`);
