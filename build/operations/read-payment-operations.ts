/** Reads the operations of the payment API from a copy of the public description, one YAML file for each address. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../server/contract/is-object.ts";
import { describeOperation, type OperationDescription } from "./describe-operation.ts";
import { YamlFolder } from "./yaml-folder.ts";

export interface PublishedOperation {
  readonly method: string;
  readonly path: string;
  /** The product's Chinese name. */
  readonly product: string;
  /** The day on which the description first listed the operation, as YYYY-MM-DD. */
  readonly since?: string | undefined;
  /** Reads the fields of its requests and replies. */
  readonly describe?: () => OperationDescription;
}

const methods = new Set(["get", "post", "put", "patch", "delete"]);

/** Operations whose file names no product. */
const productsOfPaths: Readonly<Record<string, string>> = {
  "/v3/combine-transactions/miniprogram": "基础支付∙合单",
  "/v3/platsolution/ecommerce/settle/prepay-settle-orders/{settle_batch_no}": "结算规则管理",
};

/** The days on which the files of a repository were added. */
function addedOn(folder: string): ReadonlyMap<string, string> {
  const log = execFileSync("git", ["log", "--diff-filter=A", "--format=@%cs", "--name-only", "--", "docs"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  const days = new Map<string, string>();
  let day = "";
  for (const line of log.split("\n"))
    if (line.startsWith("@")) day = line.slice(1);
    else if (line !== "") days.set(line.replace(/^"|"$/g, ""), day);
  return days;
}

/** Files of version 2 lie in a folder of their own, and an empty last segment is written as a parameter. */
const pathOfFile = (file: string) =>
  `/${file
    .replace(/[.]yaml$/, "")
    .replace(/^v2[/]/, "")
    .replace("{empty}", "")}`;

function productOf(path: string, operation: Record<string, unknown>): string {
  const tags: unknown = operation["tags"] ?? operation["tag"];
  const first: unknown = Array.isArray(tags) ? tags[0] : tags;
  const product = typeof first === "string" ? first.replace("APIv2∙", "") : productsOfPaths[path];
  if (product === undefined) throw new Error(`${path} has no product`);
  return product;
}

/** @param folder a clone of wechatpay-openapi, with its history */
export function readPaymentOperations(folder: string): PublishedOperation[] {
  const docs = join(folder, "docs");
  const days = addedOn(folder);
  const yaml = new YamlFolder(docs);
  const files = readdirSync(docs, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml") && !file.startsWith("definitions"))
    .filter((file) => !["swagger.yaml", "v3/webhooks.yaml"].includes(file));
  return files.flatMap((file) => {
    const path = pathOfFile(file);
    return Object.entries(yaml.read(file))
      .filter(([method]) => methods.has(method))
      .map(([method, operation]): PublishedOperation => {
        if (!isObject(operation)) throw new Error(`${file} has no ${method}`);
        return {
          method: method.toUpperCase(),
          path,
          product: productOf(path, operation),
          since: days.get(`docs/${file}`),
          describe: () => describeOperation(yaml, file, operation),
        };
      });
  });
}
