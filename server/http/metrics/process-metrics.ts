/**
 * The resources that a service uses, by the names that Prometheus' client libraries share. They are read on request.
 */
import { readdir } from "node:fs/promises";
import type { MetricRegistry } from "./metric-registry.ts";

/** The number of open descriptors, on Linux. */
const openDescriptors = async () => {
  const found = await readdir("/proc/self/fd").catch(() => undefined);
  return found ? [{ value: found.length }] : [];
};

/** Event loop and heap are measured for this thread, the rest for its process. */
export function addProcessMetrics(metrics: MetricRegistry): void {
  const startedAt = Date.now() / 1000 - process.uptime();
  const one = (type: "gauge" | "counter", name: string, help: string, value: () => number) =>
    metrics.read(type, name, help, () => [{ value: value() }]);
  one("counter", "process_cpu_seconds_total", "CPU time of the process.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  one("gauge", "process_start_time_seconds", "Start of the process, in Unix time.", () => startedAt);
  one("gauge", "process_resident_memory_bytes", "Resident memory of the process.", () => process.memoryUsage.rss());
  metrics.read("gauge", "process_open_fds", "Open file descriptors of the process.", openDescriptors);
  one("gauge", "nodejs_heap_size_total_bytes", "Size of the heap.", () => process.memoryUsage().heapTotal);
  one("gauge", "nodejs_heap_size_used_bytes", "Used part of the heap.", () => process.memoryUsage().heapUsed);
  one("gauge", "nodejs_external_memory_bytes", "Memory of buffers and other objects outside the heap.", () => {
    return process.memoryUsage().external;
  });
  metrics.read("counter", "nodejs_eventloop_time_seconds_total", "Time of the event loop by state.", () => {
    const { active, idle } = performance.eventLoopUtilization();
    return [
      { value: active / 1000, labels: { nodejs_eventloop_state: "active" } },
      { value: idle / 1000, labels: { nodejs_eventloop_state: "idle" } },
    ];
  });
}
