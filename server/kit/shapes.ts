/**
 * The contract's shapes in the interface of the package. The package's types are generated from these schemas, because
 * its users have no zod (build/bundles/write-kit-types.ts).
 */
import type { z } from "zod";
import { faultInputSchema } from "../contract/console/control/control.ts";
import { recordedRequestSchema, waitQuery } from "../contract/console/traffic/requests.ts";
import { modelRulesSchema } from "../contract/model/model-rules.ts";
import { settingsSchema } from "../contract/process/settings.ts";
import { simPlatformKeysSchema } from "../contract/provider/provider-keys.ts";
import { simUserChangeSchema } from "../contract/provider/provider.ts";
import { simFaultInputSchema } from "../contract/provider/sim-faults.ts";
import { decided } from "./decided.ts";

/** Each by the name that its type has. */
export const shapes = {
  /** Settings by the names that flags and `hearth.config.json` have, too. */
  HearthSettings: settingsSchema
    // Options also take `false`, for no model service.
    .omit({ ...decided, model: true })
    .partial(),
  /** A person of the simulated platform. */
  SimulatedUser: simUserChangeSchema,
  /** The rules of a scripted model. */
  ModelRules: modelRulesSchema,
  /** Selects recorded requests, and limits the time to wait for them. */
  RequestFilter: waitQuery,
  /** A recorded request. Secrets are references such as `{{session:12}}`. */
  RecordedRequest: recordedRequestSchema,
  /** A fault of the application server. */
  AppFault: faultInputSchema,
  /** A fault of the simulated platform. */
  PlatformFault: simFaultInputSchema,
  /** The keys by which the simulated platform signs for a merchant. */
  SimulatedPlatformKeys: simPlatformKeysSchema,
};

// Types of inputs: members with a default may be left out.
export type HearthSettings = z.input<typeof shapes.HearthSettings>;
export type SimulatedUser = z.input<typeof shapes.SimulatedUser>;
export type ModelRules = z.input<typeof shapes.ModelRules>;
export type RequestFilter = z.input<typeof shapes.RequestFilter>;
export type RecordedRequest = z.input<typeof shapes.RecordedRequest>;
export type AppFault = z.input<typeof shapes.AppFault>;
export type SimulatedPlatformKeys = z.input<typeof shapes.SimulatedPlatformKeys>;
export type PlatformFault = z.input<typeof shapes.PlatformFault>;
