/** The pages that say how far each of the platform's operations is simulated, in English and in Chinese. */
import {
  alipayOperations,
  countClasses,
  operationSources,
  publishedOperations,
  type PlatformOperation,
} from "../../server/contract/provider/operations/published-operations.ts";

type Language = "en" | "zh";

const texts = {
  en: {
    title: "Fidelity",
    other: "[简体中文](fidelity.zh-CN.md)",
    introduction: `The platform publishes {total} operations: {payment} of the payment API and {server} of the mini-program server API. Hearth
simulates {simulated} of them: {exact} are exact, {partial} are partial. The others return HTTP status 501 with a code that the platform
never uses, so no program mistakes it for the platform's reply.`,
    classes: `- **exact**: requests and replies match the published description, its errors are tested, and two client libraries pass.
- **partial**: works, but parts are missing. The table lists them.
- **not simulated**: status 501, before authentication. Version 3 returns \`{"code": "NOT_SIMULATED", …}\`, version 2
  \`return_code\` FAIL with \`err_code\` NOT_SIMULATED, the server API \`{"errcode": -501, …}\`. The call is marked in Requests, and the
  first one raises the event \`provider.not_simulated\`.`,
    list: "`hearth fidelity --product NAME` lists every operation of a product, `hearth check-project DIR` those that a program uses.",
    simulated: "Simulated",
    products: "Products",
    alipay: "Alipay",
    gateway: `Alipay's gateway answers these methods. For any other one, the sub_code is NOT_SIMULATED.`,
    heads: { operation: "Operation", class: "Class", missing: "Missing", product: "Product", count: "Operations" },
    sources: "The lists come from public repositories:",
    classNames: { exact: "exact", partial: "partial", not_simulated: "not simulated" },
  },
  zh: {
    title: "模拟程度",
    other: "[English](fidelity.md)",
    introduction: `平台公开了 {total} 个接口：支付接口 {payment} 个，小程序服务端接口 {server} 个。Hearth 模拟了其中 {simulated} 个：{exact} 个精确，
{partial} 个部分支持。其余接口返回 HTTP 状态码 501 和平台从不使用的错误码，程序不会把它误认为平台的回答。`,
    classes: `- **精确**：请求和应答与公开文档一致，错误经过测试，两个客户端库测试通过。
- **部分**：缺少部分功能，见下表。
- **未模拟**：在身份验证之前返回 501。v3 返回 \`{"code": "NOT_SIMULATED", …}\`，v2 返回 \`return_code\` FAIL 和
  \`err_code\` NOT_SIMULATED，服务端接口返回 \`{"errcode": -501, …}\`。调用会在“请求”页面中标出，首次调用还会产生事件
  \`provider.not_simulated\`。`,
    list: "`hearth fidelity --product 名称` 列出某个产品的全部接口，`hearth check-project 目录` 列出一个程序用到的接口。",
    simulated: "已模拟的接口",
    products: "各产品",
    alipay: "支付宝",
    gateway: "支付宝网关支持下列接口。其他接口的 sub_code 为 NOT_SIMULATED。",
    heads: { operation: "接口", class: "类别", missing: "缺失", product: "产品", count: "接口数" },
    sources: "接口列表取自公开仓库：",
    classNames: { exact: "精确", partial: "部分", not_simulated: "未模拟" },
  },
} as const;

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(heads), row(heads.map(() => "---")), ...rows.map(row)].join("\n");

/** The figures of the introduction, by their names in it. */
export function fidelityFigures(): Readonly<Record<string, number>> {
  const { exact, partial } = countClasses(publishedOperations);
  const ofApi = (api: PlatformOperation["api"]) => publishedOperations.filter((one) => one.api === api).length;
  const total = publishedOperations.length;
  return { total, payment: ofApi("payment"), server: ofApi("server"), exact, partial, simulated: exact + partial };
}

function simulatedTable(language: Language, operations: readonly PlatformOperation[]): string {
  const { heads, classNames } = texts[language];
  const rows = operations
    .filter((operation) => operation.class !== "not_simulated")
    .map(({ method, path, class: name, missing }) => [
      `\`${method} ${path}\``,
      classNames[name],
      missing.map((part) => part[language]).join("; "),
    ]);
  return table([heads.operation, heads.class, heads.missing], rows);
}

function productTable(language: Language): string {
  const { heads, classNames } = texts[language];
  const rows = [...Map.groupBy(publishedOperations, ({ product }) => product[language])].map(
    ([product, operations]) => {
      const { exact, partial, not_simulated } = countClasses(operations);
      return [product, ...[operations.length, exact, partial, not_simulated].map(String)];
    },
  );
  const counts = [classNames.exact, classNames.partial, classNames.not_simulated];
  return table([heads.product, heads.count, ...counts], rows);
}

function fidelityPage(language: Language, notice: string): string {
  const { title, other, introduction, classes, list, simulated, products, alipay, gateway, sources } = texts[language];
  const figures = fidelityFigures();
  const links = Object.values(operationSources).map(
    ({ repository, commit, date }) =>
      `- [${repository}](https://github.com/${repository}), \`${commit.slice(0, 12)}\`, ${date}`,
  );
  return [
    `# ${title}`,
    notice,
    other,
    introduction.replaceAll(/[{](\w+)[}]/g, (_, name: string) => Number(figures[name]).toLocaleString("en")),
    classes,
    list,
    `## ${simulated}`,
    simulatedTable(language, publishedOperations),
    `## ${products}`,
    productTable(language),
    `## ${alipay}`,
    gateway,
    simulatedTable(language, alipayOperations),
    sources,
    links.join("\n"),
  ].join("\n\n");
}

/** The pages' texts by their paths in the checkout. */
export const fidelityPages = (notice: string): Readonly<Record<string, string>> => ({
  "docs/reference/fidelity.md": fidelityPage("en", notice),
  "docs/reference/fidelity.zh-CN.md": fidelityPage("zh", notice),
});
