/** The only module that creates CodeMirror views; loaded with the first body or editor. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { jsonLanguage } from "@codemirror/lang-json";
import { xmlLanguage } from "@codemirror/lang-xml";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, Transaction, type Extension } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap } from "@codemirror/view";
import type { TFunction } from "i18next";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { codeTheme } from "./code-theme.ts";
import { editedEvent, noteEditor } from "./editor-text.ts";
import { withEndsOf, withPlainEnds } from "./line-ends.ts";
import type { BodyKind } from "./format-body.ts";

const languages: Record<BodyKind, Extension> = {
  json: jsonLanguage.extension,
  ndjson: jsonLanguage.extension,
  xml: xmlLanguage.extension,
  form: [],
  plain: [],
};

/** Text with a syntax; without `onChange` it is read-only, with search and folding. */
export function CodeMirror(props: {
  value: string;
  language: BodyKind;
  label: string;
  onChange?: (value: string) => void;
  invalid?: boolean;
}) {
  const { t } = useTranslation();
  const { value, language, label, invalid } = props;
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView>();
  const [varying] = useState(() => new Compartment());
  const editable = props.onChange !== undefined;
  const onChange = useEffectEvent((text: string) => {
    if (text !== withPlainEnds(value)) props.onChange?.(withEndsOf(value, text));
  });
  const firstValue = useEffectEvent(() => value);
  const variable = useEffectEvent(() => variableParts({ language, label, editable, invalid: invalid ?? false, t }));

  useEffect(() => {
    if (!place.current) return;
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: firstValue(),
        extensions: [
          editable ? editing : reading,
          varying.of(variable()),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            onChange(update.state.doc.toString());
            const isEdited = update.transactions.some((one) => one.annotation(Transaction.userEvent) !== undefined);
            if (isEdited) update.view.contentDOM.dispatchEvent(new Event(editedEvent, { bubbles: true }));
          }),
        ],
      }),
    });
    if (editable)
      noteEditor(made.contentDOM, {
        read: () => made.state.doc.toString(),
        write: (text) => replaceText(made, text),
      });
    setView(made);
    return () => made.destroy();
  }, [editable, varying]);
  useEffect(() => {
    if (view && view.state.doc.toString() !== withPlainEnds(value)) replaceText(view, value);
  }, [view, value]);
  useEffect(() => {
    view?.dispatch({ effects: varying.reconfigure(variable()) });
  }, [view, varying, language, label, invalid, t]);
  return <div ref={place} />;
}

const replaceText = (view: EditorView, text: string) =>
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });

const common: Extension = [
  codeTheme,
  EditorView.lineWrapping,
  highlightSpecialChars(),
  highlightSelectionMatches(),
  bracketMatching(),
  codeFolding(),
  search({ top: true }),
  EditorState.tabSize.of(2),
];
const reading: Extension = [
  common,
  foldGutter(),
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  keymap.of([...searchKeymap, ...foldKeymap, ...defaultKeymap]),
];
// The Tab key stays with the page, so that keyboard users can leave the field.
const editing: Extension = [
  common,
  history(),
  indentOnInput(),
  keymap.of([...searchKeymap, ...historyKeymap, ...foldKeymap, ...defaultKeymap]),
];

function variableParts(of: {
  language: BodyKind;
  label: string;
  editable: boolean;
  invalid: boolean;
  t: TFunction;
}): Extension {
  const { t } = of;
  return [
    languages[of.language],
    EditorView.contentAttributes.of({
      "aria-label": of.label,
      "aria-invalid": String(of.invalid),
      ...(!of.editable && { tabindex: "0", "aria-readonly": "true" }),
    }),
    EditorState.phrases.of({
      Find: t("common.search.find"),
      Replace: t("common.search.replacement"),
      next: t("common.search.next"),
      previous: t("common.search.previous"),
      all: t("common.search.all"),
      "match case": t("common.search.matchCase"),
      regexp: t("common.search.regexp"),
      "by word": t("common.search.byWord"),
      replace: t("common.search.replace"),
      "replace all": t("common.search.replaceAll"),
      close: t("common.close"),
      "current match": t("common.search.currentMatch"),
      "on line": t("common.search.onLine"),
    }),
  ];
}
