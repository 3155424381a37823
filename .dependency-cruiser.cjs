/** Who may import whom: the direction of the tree that docs/architecture.md describes, enforced by `npm run check`. */
const deny = (name, from, to, except) => ({
  name,
  severity: "error",
  from: { path: from },
  to: { path: to, ...(except && { pathNot: except }) },
});

/** The rooms of a folder from the bottom up: none imports one that stands after it. */
const layers = (folder, ...rooms) =>
  rooms
    .slice(0, -1)
    .map((room, index) =>
      deny(`${folder}: ${room} is below`, `^${folder}/(${room})/`, `^${folder}/(${rooms.slice(index + 1).join("|")})/`),
    );

module.exports = {
  forbidden: [
    deny("contract-is-pure", "^server/contract/", ".", "^(server/contract/|node_modules/zod/)"),
    deny(
      "kits-are-strangers",
      "^server/(http|events|store|process|payment-wire|foreign|json-schema|file-system|time|trace)/",
      "^server/",
      "^server/($1|contract|foreign|json-schema|file-system|time|trace)/",
    ),
    deny("kernel-joins-the-kits", "^server/kernel/", "^server/", "^server/(kernel|contract|http|events|store|time)/"),
    deny("only-open-sees-the-kernel", "^server/(app|provider)/.+/(?!feature[.]ts$)[^/]+$", "^server/kernel/"),
    deny(
      "supervisor-knows-processes-only",
      "^server/supervisor/",
      "^server/",
      "^server/(supervisor|process|contract|file-system|time)/",
    ),
    deny(
      "services-speak-http",
      "^server/(app|provider|model|runner|watcher|stand-in)/",
      "^server/",
      "^server/($1|contract|kernel|http|events|store|process|payment-wire|foreign|json-schema|file-system|time|trace)/",
    ),
    deny("actions-speak-http", "^server/actions/", "^server/", "^server/(actions|contract|process)/"),
    deny("agents-act-by-the-table", "^server/mcp/", "^server/", "^server/(mcp|actions|contract|process|http)/"),
    deny("features-are-strangers", "^server/(app|provider)/([^/]+)/", "^server/$1/", "^server/$1/$2/"),
    deny("model-is-forked-never-imported", "^server/[^/]+[.]ts$", "^server/(model|runner)/"),
    deny("server-is-electron-free", "^server/", "(^|node_modules/)electron(/|$)"),
    deny(
      "shell-knows-the-supervisor-only",
      "^electron/",
      "^(server|renderer)/",
      "^server/(supervisor|contract|process|file-system)/",
    ),
    // The phone of the console runs the very client that the server hands out; what a form refuses is said as the server does.
    deny(
      "renderer-speaks-http",
      "^renderer/",
      "^(server|electron)/",
      "^server/(contract|app/console/reference-client|http/messages)/",
    ),
    deny("reference-client-is-one-file", "^server/app/console/reference-client/", "."),
    deny("panels-are-strangers", "^renderer/features/([^/]+)/", "^renderer/", "^renderer/(features/$1|api|ui|i18n)/"),
    deny("ui-is-dumb", "^renderer/ui/", "^renderer/(api|features)/"),
    ...layers("server/contract", "model|provider", "app|process", "console"),
    ...layers("server/http", "connection|recording", "formats", "conventions"),
    ...layers("server/store", "backup|check", "sqlite|records"),
    ...layers("server/process", "lifetime|settings", "terminal"),
    ...layers("server/app/payments", "provider", "store", "orders", "notifications"),
    ...layers("server/app/collections", "schema", "rows"),
    ...layers(
      "server/model",
      "options",
      "models",
      "grammar|reporting|engine|scripted",
      "chat",
      "starter|upstream",
      "wire",
    ),
    ...layers(
      "server/provider/payments",
      "merchants",
      "ledger|keys",
      "calls|bills",
      "v2|v3|faults",
      "notifier",
      "control|buyer|receiver-check",
    ),
    deny("product-knows-no-test", "^(server|electron|renderer)/", "^(test|build)/"),
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|release|[.]cache|test/(clients|bench)/node_modules)/" },
  },
};
