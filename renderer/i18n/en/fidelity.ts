export const fidelity = {
  title: "Fidelity",
  counts:
    "Operations: {{total, number}}. Exact: {{exact, number}}, partial: {{partial, number}}, not simulated: {{not_simulated, number}}.",
  search: "Search path or product",
  all: "All",
  className: "Class",
  class: { exact: "Exact", partial: "Partial", not_simulated: "Not simulated" },
  meaning: {
    exact:
      "Requests and replies match the published description. The errors are tested, and two clients go through it.",
    partial: "Works, but something is missing.",
    not_simulated: "Answers 501 with a code that the platform never uses, before the sender is looked at.",
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
