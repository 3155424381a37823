/** The application server: reads with and without a record of them, lists, writes, uploads. */
import type { Bench } from "../open-bench.ts";
import { requestsInSeconds, type Load } from "../requests-in-seconds.ts";
import { onBoth, startBoth, type Side, type Sides } from "./sides.ts";
import type { Work } from "./compare.ts";

const seconds = 2;
const article = { title: "hello", body: "world ".repeat(20) };

/** So many that a page of 20 is full. */
export async function storeArticles({ app, headers }: Pick<Side, "app" | "headers">): Promise<void> {
  for (let i = 0; i < 25; i++)
    await fetch(`${app}/api/articles`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(article),
    });
}

/** As startBoth, with articles to ask for. */
export async function startWithArticles(...given: Parameters<typeof startBoth>) {
  const both = await startBoth(...given);
  for (const side of [both.ours, both.theirs]) await storeArticles(side);
  return both;
}

/** Asks for a path for a while. */
export const load =
  (path: string, more: Partial<Load> = {}) =>
  (side: Side) =>
    requestsInSeconds({ url: `${side.app}${path}`, headers: side.headers, ...more }, seconds);

/** A zip by its first bytes, which is all that the check looks at; the rest differs each time. */
function upload(): FormData {
  const form = new FormData();
  const bytes = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), crypto.getRandomValues(new Uint8Array(65_000))]);
  form.append("[]", new Blob([bytes]), "some.zip");
  form.append("type", "bench");
  return form;
}

async function uploads({ app, headers }: Side, count: number): Promise<number> {
  let left = count;
  const client = async () => {
    while (left-- > 0) {
      const reply = await fetch(`${app}/api/uploads`, { method: "POST", headers, body: upload() });
      if (reply.status !== 200 && reply.status !== 201)
        throw new Error(`an upload was answered ${String(reply.status)}`);
      await reply.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  return count;
}

export async function appWorks(bench: Bench, sides: Sides): Promise<Work[]> {
  const off = await startWithArticles(bench, sides, "off", ["--no-record-requests"]);
  const on = await startWithArticles(bench, sides, "on", []);
  const writing = { method: "POST", body: JSON.stringify(article) } as const;
  const write = (side: Side) =>
    load("/api/articles", { ...writing, headers: { ...side.headers, "content-type": "application/json" } })(side);
  return [
    onBoth(off, "GET of one article", load("/api/articles/1")),
    onBoth(on, "GET of one article, recorded", load("/api/articles/1")),
    onBoth(off, "list of 20 articles", load("/api/articles?page_size=20")),
    onBoth(off, "POST of an article", write),
    onBoth(off, "upload of 64 kB", (side) => uploads(side, 300)),
  ];
}
