import { useTranslation } from "react-i18next";
import type { PlatformOperation } from "../../../server/contract/provider/operations/published-operations.ts";
import type { Language } from "../../i18n/languages.ts";
import { CopyButton } from "../../ui/code/copy-button.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { Fields } from "../../ui/forms/fields.tsx";
import { ClassBadge } from "./class-badge.tsx";
import classes from "./fidelity.module.css";

/** One operation: what it is part of, and what a program gets that calls it. */
export function OperationInspector(props: { operation: PlatformOperation; language: Language }) {
  const { t } = useTranslation();
  const { method, path, product, class: name, missing, since } = props.operation;
  return (
    <>
      <Fields
        items={[
          { name: t("fidelity.className"), value: <ClassBadge name={name} /> },
          { name: t("fidelity.method"), value: method, wire: true },
          {
            name: t("fidelity.path"),
            value: (
              <>
                {path} <CopyButton value={path} name={t("fidelity.path")} />
              </>
            ),
            wire: true,
          },
          { name: t("fidelity.product"), value: product[props.language] },
          ...(since === undefined ? [] : [{ name: t("fidelity.since"), value: since }]),
        ]}
      />
      {missing.length > 0 && (
        <ul className={classes.missing} aria-label={t("fidelity.missing")}>
          {missing.map((part) => (
            <li key={part.en}>{part[props.language]}</li>
          ))}
        </ul>
      )}
      <Notice kind="info">{t(`fidelity.meaning.${name}`)}</Notice>
    </>
  );
}
