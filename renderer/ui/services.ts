/** Services are created once, in main.tsx, and shared by the parts of the page. The module that owns a service owns its key. */
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
