/** The form of every feature of a service, and the parts that all features share. */
import type { Logger } from "pino";
import type { Settings } from "../contract/process/settings.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { Route } from "../http/route.ts";
import type { Awaitable, Database } from "../store/database.ts";
import type { EventDatabase } from "../store/event-writes.ts";
import type { PartTables } from "../store/state-part.ts";
import type { AdjustableClock } from "../time/adjustable-clock.ts";

/** Parts that a service makes once. Only a feature's `open` sees them; inner files take what they need by name. */
export interface Kernel<Tables> {
  readonly settings: Settings;
  readonly database: Database<Tables>;
  readonly clock: AdjustableClock;
  readonly log: Logger;
  /** Registers work for the end. The last registration is closed first; the database is closed after all of them. */
  readonly atClose: (close: (graceMs: number) => Promise<unknown> | void) => void;
}

/** The kernel of a service with events: its writes store events with the rows. */
export interface EventKernel<Tables> extends Kernel<Tables> {
  readonly database: EventDatabase<Tables>;
  readonly bus: EventBus;
}

/** An open feature: the routes that it adds to the service, and what other features may use. */
export interface Opened<Port> {
  readonly routes?: readonly Route[];
  readonly consoleRoutes?: readonly Route[];
  /** Called once the service listens. Registrations for the end after this call are closed before the listeners. */
  readonly start?: () => void;
  readonly port: Port;
}

/** @typeParam Ports the objects that it needs from other features and from the service's root */
export interface Feature<OwnKernel, Ports, Port> {
  readonly name: string;
  /** Its tables in resets and fixtures, by the part of the state. */
  readonly stateParts?: Readonly<Record<string, PartTables>>;
  /**
   * Checks of changed settings before a start, by the beginning of the settings' names. Each throws a SettingsError
   * that begins with the name of the invalid setting.
   */
  readonly startChecks?: Readonly<Record<string, (settings: Settings) => unknown>>;
  /** Descriptions of its operations' tags: those of its routes, and those of its console routes. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly consoleTags?: Readonly<Record<string, string>>;
  open(kernel: OwnKernel, ports: Ports): Awaitable<Opened<Port>>;
}
