/** Derives the list of the platform's published operations from copies of the public repositories that describe them. */
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { englishNames } from "../../server/contract/provider/operations/product-names.ts";
import { simulatedOperations } from "../../server/contract/provider/operations/simulated-operations.ts";
import { root } from "../root.ts";
import { readPaymentOperations, type PublishedOperation } from "./read-payment-operations.ts";
import { readServerOperations } from "./read-server-operations.ts";

const folder = join(root, "server/contract/provider/operations");

const sources = [
  {
    api: "payment",
    repository: "TheNorthMemory/wechatpay-openapi",
    holds: "docs/swagger.yaml",
    read: readPaymentOperations,
  },
  {
    api: "server",
    repository: "fudiwei/DotNetCore.SKIT.FlurlHttpClient.Wechat",
    holds: "src/SKIT.FlurlHttpClient.Wechat.Api/Extensions",
    read: readServerOperations,
  },
];

const keyOf = ({ method, path }: PublishedOperation) => `${method} ${path}`;

const sortKey = ({ method, path }: PublishedOperation) => `${path} ${method}`;

const git = (copy: string, ...words: string[]) => execFileSync("git", words, { cwd: copy, encoding: "utf8" }).trim();

/** One line for each operation, so that a change of the list can be read. */
function writeProducts(operations: readonly PublishedOperation[]): string {
  const products = Map.groupBy(operations, ({ product }) => product);
  const lines = [...products].map(([product, members]) => {
    if (!(product in englishNames)) throw new Error(`${product} has no English name`);
    const texts = members.map((operation) => JSON.stringify([keyOf(operation), operation.since].join(" ").trimEnd()));
    return `${JSON.stringify(product)}: [\n${texts.join(",\n")}\n]`;
  });
  return `{\n${lines.join(",\n")}\n}`;
}

const descriptionsOf = (operations: readonly PublishedOperation[]) =>
  operations.flatMap((operation) =>
    operation.describe && keyOf(operation) in simulatedOperations
      ? [`${JSON.stringify(keyOf(operation))}: ${JSON.stringify(operation.describe())}`]
      : [],
  );

/** @param copies clones of the sources, with their history */
export function refreshOperations(copies: readonly string[]): void {
  const read = sources.map(({ repository, api, holds, read }) => {
    const copy = copies.find((copy) => existsSync(join(copy, holds)));
    if (copy === undefined) throw new Error(`none of the folders is a clone of ${repository}`);
    const [commit, date] = git(copy, "log", "-1", "--format=%H %cs").split(" ");
    const operations = read(copy).toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
    return { api, source: { repository, commit, date }, operations };
  });
  const apis = read.map(
    ({ api, source, operations }) =>
      `"${api}": {\n"source": ${JSON.stringify(source)},\n"products": ${writeProducts(operations)}\n}`,
  );
  writeFileSync(join(folder, "operations.json"), `{\n${apis.join(",\n")}\n}\n`);
  const operations = read.flatMap(({ operations }) => operations);
  writeFileSync(join(folder, "descriptions.json"), `{\n${descriptionsOf(operations).join(",\n")}\n}\n`);
  console.log(`${String(operations.length)} operations`);
}
