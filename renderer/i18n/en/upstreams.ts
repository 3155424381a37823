export const upstreams = {
  title: "Upstreams",
  state: { up: "answers", down: "down", unknown: "not asked yet" },
  inFlight_one: "{{count, number}} request",
  inFlight_other: "{{count, number}} requests",
};
