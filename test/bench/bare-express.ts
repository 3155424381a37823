/** The raw baseline: an Express 5 route that answers JSON, and one that pipes a body into a file; no logic, no storage. */
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createRequire } from "node:module";
import type express from "express";

const [port = "", uploadFile = ""] = process.argv.slice(2);
const bare = createRequire(import.meta.url)("express") as typeof express;
const article = {
  id: 1,
  title: "hello",
  body: "world ".repeat(20),
  private: false,
  owner_uid: "u1",
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};
const app = bare();
app.get("/articles/1", (_req, res) => void res.json(article));
app.get("/articles", (_req, res) => void res.json(Array.from({ length: 20 }, () => article)));
app.post("/upload", async (req, res) => {
  await pipeline(req, createWriteStream(uploadFile));
  res.json({ success: true });
});
app.listen(Number(port), "127.0.0.1");
