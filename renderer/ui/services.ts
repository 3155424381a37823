/** What is made once for the page, in main.tsx, and shared by its parts: each service by the key of the module that owns it. */
import { createContext, useContext } from "react";

declare const service: unique symbol;

/** Stands for one `Service`. */
interface ServiceKey<Service> {
  readonly name: string;
  readonly [service]?: Service;
}

export const serviceKey = <Service>(name: string): ServiceKey<Service> => ({ name });

type Provided = readonly [key: ServiceKey<unknown>, service: unknown];

export const provide = <Service>(key: ServiceKey<Service>, made: Service): Provided => [key, made];

export const ServicesContext = createContext<ReadonlyMap<ServiceKey<unknown>, unknown>>(new Map());

export function useService<Service>(key: ServiceKey<Service>): Service {
  const services = useContext(ServicesContext);
  if (!services.has(key)) throw new Error(`no service "${key.name}" above this component`);
  return services.get(key) as Service;
}
