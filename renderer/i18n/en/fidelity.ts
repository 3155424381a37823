export const fidelity = {
  title: "Fidelity",
  counts:
    "Operations: {{total, number}}. Exact: {{exact, number}}, partial: {{partial, number}}, not simulated: {{not_simulated, number}}.",
  search: "Search path or product",
  all: "All",
  className: "Class",
  class: { exact: "Exact", partial: "Partial", not_simulated: "Not simulated" },
  meaning: {
    exact: "Requests and replies match the published description. Errors are tested, and two client libraries pass.",
    partial: "Works, but parts are missing.",
    not_simulated: "Returns 501 with a code that the platform never uses, before authentication.",
  },
  method: "Method",
  path: "Path",
  product: "Product",
  missing: "Missing",
  since: "Listed since",
  table: "Operations of the platform",
  unknown: "The platform does not publish {{operation}}.",
  none: "No operation matches",
  noneHint: "Search by a part of the path, or by a product such as refunds.",
  showAll: "Show all",
} as const;
