/**
 * The statements of reading and storing an article, by a bare Express 5 application with `pg`: no logic, no checks, on the
 * tables that Hearth has made. `node bare-postgres.ts DATABASE_URL`; it prints its address
 * and its process.
 */
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type express from "express";
import pg from "pg";

const bare = createRequire(import.meta.url)("express") as typeof express;
const pool = new pg.Pool({
  connectionString: process.argv[2],
  max: 5,
  onConnect: (client) => client.query("set search_path = hearth") as unknown as void,
});

const session = {
  name: "session",
  text: `select sessions.id, user_id, sessions.created_at, expires_at, nick_name, phone_number
    from sessions inner join users on users.id = sessions.user_id where token_hash = $1`,
};
const one = { name: "one", text: "select * from records where collection = 'articles' and id = $1" };
const page = {
  name: "page",
  text: "select * from records where collection = 'articles' order by id limit $1 offset 0",
};
const total = { name: "total", text: "select count(*) as total from records where collection = 'articles'" };
const nextId = {
  name: "nextId",
  text: `insert into record_sequences (collection, last_id) values ('articles', 1)
    on conflict (collection) do update set last_id = record_sequences.last_id + 1 returning last_id`,
};
const insert = {
  name: "insert",
  text: `insert into records (collection, id, owner_id, version, created_at, updated_at, data)
    values ('articles', $1, $2, 1, $3, $3, $4)`,
};
const event = {
  name: "event",
  text: "insert into events (source, type, subject, time, data) values ($1, 'resource.created', $2, $3, $4) returning id",
};

type Row = Record<string, unknown>;
const shown = ({ id, data }: Row) => ({ id, ...(JSON.parse(String(data)) as object) });

async function userOf(req: express.Request): Promise<unknown> {
  const token = (req.headers.authorization ?? "").slice("Bearer ".length);
  const hash = createHash("sha256").update(token).digest("hex");
  const { rows } = await pool.query<Row>({ ...session, values: [hash] });
  return rows[0]?.["user_id"];
}

const app = bare();
app.get("/articles/:id", async (req, res) => {
  await userOf(req);
  const { rows } = await pool.query<Row>({ ...one, values: [req.params.id] });
  res.json({ data: rows.map(shown)[0] });
});
app.get("/articles", async (req, res) => {
  await userOf(req);
  const { rows } = await pool.query<Row>({ ...page, values: [20] });
  await pool.query(total);
  res.json({ data: rows.map(shown) });
});
app.post("/articles", bare.json(), async (req, res) => {
  const user = await userOf(req);
  const client = await pool.connect();
  try {
    await client.query("begin; select pg_advisory_xact_lock(hashtext('hearth'))");
    const { rows } = await client.query<Row>(nextId);
    const [id, now] = [rows[0]?.["last_id"], Date.now()];
    await client.query({ ...insert, values: [id, user, now, JSON.stringify(req.body)] });
    const subject = `articles/${String(id)}`;
    await client.query({ ...event, values: ["/app/articles", subject, now, JSON.stringify({ id })] });
    await client.query("notify hearth, 'bare write'; commit");
    res.status(201).json({ data: { id, ...(req.body as object) } });
  } finally {
    client.release();
  }
});
const server = app.listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  console.log(JSON.stringify({ url, pid: process.pid }));
});
server.keepAliveTimeout = 120_000; // the others' turns must not cost it its connections
