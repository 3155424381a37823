import { networkInterfaces } from "node:os";

/** Base URLs by which other machines reach what listens on `host` at the port of `url`; none for a loopback address. */
export function lanAddresses(host: string, url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { port } = new URL(url);
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => address);
  const reached = host === "0.0.0.0" || host === "::" ? outside : outside.filter((address) => address === host);
  return reached.map((address) => `http://${address}:${port}`);
}
