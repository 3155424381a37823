/** The project's own lint rules, beside those that Oxlint has. */

/** Makes a rule that reports the nodes which `visitor` finds. */
const rule = (message, visitor) => ({
  create: (context) => visitor((node) => context.report({ node, message })),
});

export default {
  meta: { name: "hearth" },
  rules: {
    "no-barrels": rule("Import from the file itself: no barrels.", (report) => ({ ExportAllDeclaration: report })),
    "no-raw-prints": rule(
      "Print by server/process/terminal/print-text.ts: foreign text may hold what a terminal obeys.",
      (report) => ({
        CallExpression(node) {
          const { object, property } = node.callee;
          if (property?.name === "write" && /^std(?:out|err)$/.test(object.property?.name ?? "")) report(node);
        },
      }),
    ),
  },
};
