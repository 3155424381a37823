import type { Findings } from "./audit.ts";
import type { Fault } from "./fault.ts";
import type { Ledger } from "./traffic.ts";

interface Row {
  tried: number;
  lost: number;
  doubled: number;
  wrong: number;
  readonly seconds: number[];
}

/** When the last service answered; NaN when none of that came to pass. */
interface Answered {
  readonly seconds: number;
  readonly last: string;
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

/** Counts by fault, and says each as it happens. */
export function createTable(faults: readonly Fault[]) {
  const rows = new Map<string, Row>(
    faults.map(({ name }) => [name, { tried: 0, lost: 0, doubled: 0, wrong: 0, seconds: [] }]),
  );
  const promised = { articles: 0, uploads: 0, orders: 0, files: 0 };
  const products = new Map<string, number>();
  let done = 0;

  const allRows = () => [...rows.values()];
  return {
    add({ name }: Fault, { lost, doubled, wrong }: Findings, { seconds, last }: Answered, ledger: Ledger): void {
      const row = rows.get(name);
      if (!row) return;
      row.tried++;
      row.lost += lost.length;
      row.doubled += doubled.length;
      row.wrong += wrong.length;
      if (!Number.isNaN(seconds)) row.seconds.push(seconds);
      promised.articles += ledger.articles.size;
      promised.uploads += ledger.uploads.size;
      promised.orders += ledger.orders.length;
      promised.files += ledger.files.size;
      for (const { product } of ledger.products) products.set(product, (products.get(product) ?? 0) + 1);
      const time = Number.isNaN(seconds) ? "no answer" : `${seconds.toFixed(1)} s (${last})`;
      console.log(`${String(++done).padStart(4)}  ${name.padEnd(38)} ${time}`);
      for (const [what, found] of Object.entries({ lost, doubled, wrong }))
        for (const one of found.slice(0, 5)) console.log(`      ${what}: ${one}`);
    },
    slowest: () => Math.max(0, ...allRows().flatMap(({ seconds }) => seconds)),
    failures: () => total(allRows().map(({ lost, doubled, wrong }) => lost + doubled + wrong)),
    /** As Markdown. */
    text(): string {
      const cells = [...rows].map(([name, { tried, lost, doubled, wrong, seconds }]) =>
        [name, tried, lost, doubled, wrong, Math.max(0, ...seconds).toFixed(1)].join(" | "),
      );
      const sum = `${String(total(allRows().map(({ tried }) => tried)))} faults beside ${String(promised.articles)} articles, ${String(promised.uploads)} uploads, ${String(promised.orders)} orders and ${String(promised.files)} files that were acknowledged`;
      const others = [...products].map(([product, count]) => `${product} ${String(count)}`).join(", ");
      const head = ["fault | tried | lost | doubled | wrong | longest, s", "--- | --- | --- | --- | --- | ---"];
      return `\n${[...head, ...cells].map((line) => `| ${line} |`).join("\n")}\n\n${sum}\nother products, acknowledged: ${others}`;
    },
  };
}
