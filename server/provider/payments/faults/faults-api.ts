/** Control routes for injected faults and their counts. */
import { Router } from "express";
import { z } from "zod";
import { simFaultInputSchema, simFaultsChangeSchema } from "../../../contract/provider/sim-faults.ts";
import { checked, checkedBody } from "../../../http/formats/checked-body.ts";
import { notFound } from "../../../http/http-error.ts";
import type { FaultStore } from "./fault-store.ts";

const faultId = z
  .string()
  .regex(/^\d{1,15}$/, "must be the id of a fault, a whole number")
  .transform(Number);

export function faultsApi(store: FaultStore): Router {
  const router = Router();
  router.get("/faults", (_req, res) => void res.json({ faults: store.list() }));
  router.put("/faults", async (req, res) => {
    await store.replace((await checkedBody(req, simFaultsChangeSchema)).faults);
    res.json({ faults: store.list() });
  });
  router.post("/faults", async (req, res) => {
    res.status(201).json(await store.add(await checkedBody(req, simFaultInputSchema)));
  });
  router.delete("/faults", async (_req, res) => {
    await store.clear();
    res.status(204).end();
  });
  router.delete("/faults/:id", async (req, res) => {
    const id = checked(req.params.id, faultId, "id");
    if (!(await store.remove(id))) throw notFound(`There is no fault ${String(id)}: GET /sim/faults lists them.`);
    res.status(204).end();
  });
  return router;
}
