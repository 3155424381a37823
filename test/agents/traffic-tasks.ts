/** Tasks about recorded requests, faults of the server, and data. */
import type { AgentTask } from "./task.ts";

interface StoredOrder {
  readonly amount: number;
  readonly description: string;
}

export const trafficTasks: Readonly<Record<string, AgentTask>> = {
  refusedOrder: {
    text: "A client could not place its order. Find its request, and send it again so that the order is placed with the amount that the client meant.",
    async prepare({ app, must }) {
      await must("hearth order --amount 100");
      await must(
        `curl -s ${app}/api/orders -H "Authorization: Bearer $(hearth login ada)" -H 'Content-Type: application/json' -d '{"description":"Cup","amount":"2.50 yuan"}'`,
      );
    },
    async solve({ run }) {
      const { output } = await run("hearth requests --failed --path /api/orders");
      const [id = ""] = output.trim().split(" ");
      await run(`hearth show ${id}`);
      await run(`hearth replay ${id} --body '{"description":"Cup","amount":250}'`);
      return "";
    },
    async isDone({ ofApp }) {
      const { orders } = await ofApp("/console/api/orders");
      return (orders as StoredOrder[]).some(({ amount, description }) => amount === 250 && description === "Cup");
    },
  },

  unknownPath: {
    text: "The app calls an address that does not exist. Which path is it, and how often was it called?",
    async prepare({ app, must }) {
      const call = (path: string) => `curl -s ${app}${path} -H "Authorization: Bearer $TOKEN"`;
      const calls = ["/api/articles", "/api/article", "/api/articles", "/api/article", "/api/article"].map(call);
      await must(`TOKEN=$(hearth login ada); ${calls.join("; ")}`);
    },
    async solve({ run }) {
      const { output } = await run("hearth requests --status 404 --json");
      const paths = (JSON.parse(output) as { path: string }[]).map(({ path }) => path);
      return `${paths[0] ?? ""} ${String(paths.length)}`;
    },
    isDone: (_, answer) => Promise.resolve(/\/api\/article\b(?!s)/.test(answer) && /\b3\b/.test(answer)),
  },

  busyOnce: {
    text: "Let the server answer 503 to the next call of /api/articles, only once.",
    prepare: ({ must }) => must("hearth order --amount 100"),
    async solve({ run }) {
      await run("hearth fault arm --path /api/articles --status 503 --times 1");
      return "";
    },
    async isDone({ app, must }) {
      const call = `curl -s -o /dev/null -w '%{http_code} ' ${app}/api/articles -H "Authorization: Bearer $TOKEN"`;
      return (await must(`TOKEN=$(hearth login ada); ${call}; ${call}`)) === "503 200 ";
    },
  },

  seeded: {
    text: "Remove all records, then add the articles of articles.json.",
    async prepare({ app, must, write }) {
      write("articles.json", JSON.stringify({ articles: [{ title: "Tea" }, { title: "Cups" }, { title: "Milk" }] }));
      const send = `curl -s ${app}/api/articles -H "Authorization: Bearer $(hearth login ada)" -d title=Old`;
      await must(send);
    },
    async solve({ run }) {
      await run("hearth reset records");
      await run("hearth seed articles.json");
      return "";
    },
    async isDone({ app, must }) {
      const reply = await must(`curl -s ${app}/api/articles -H "Authorization: Bearer $(hearth login ada)"`);
      const titles = (JSON.parse(reply) as { data: { title: string }[] }).data.map(({ title }) => title);
      return titles.sort().join() === "Cups,Milk,Tea";
    },
  },
};
