import type { TFunction } from "i18next";
import type { PlatformOperation } from "../../../server/contract/provider/operations/published-operations.ts";
import type { Language } from "../../i18n/languages.ts";
import type { Column } from "../../ui/table/table-columns.ts";
import { ClassBadge } from "./class-badge.tsx";
import classes from "./fidelity.module.css";

export const operationColumns = (t: TFunction, language: Language): readonly Column<PlatformOperation>[] => [
  {
    key: "class",
    sortBy: ({ class: name }) => name,
    header: t("fidelity.className"),
    track: "124px",
    cell: (operation) => <ClassBadge name={operation.class} />,
  },
  {
    key: "method",
    sortBy: ({ method }) => method,
    header: t("fidelity.method"),
    track: "64px",
    wideOnly: true,
    cell: ({ method }) => <span className={classes.wire}>{method}</span>,
  },
  {
    key: "path",
    sortBy: ({ path }) => path,
    header: t("fidelity.path"),
    track: "minmax(180px, 2fr)",
    cell: ({ path }) => <span className={classes.wire}>{path}</span>,
  },
  {
    key: "product",
    sortBy: ({ product }) => product[language],
    header: t("fidelity.product"),
    track: "minmax(140px, 1fr)",
    wideOnly: true,
    cell: ({ product }) => product[language],
  },
  {
    key: "missing",
    header: t("fidelity.missing"),
    track: "minmax(140px, 2fr)",
    wideOnly: true,
    cell: ({ missing }) => <span className={classes.dim}>{missing.map((part) => part[language]).join("; ")}</span>,
  },
];
