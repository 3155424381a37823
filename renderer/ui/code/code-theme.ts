import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.tagName], fontWeight: "600" },
  { tag: [tags.string, tags.attributeValue], color: "var(--hearth-string)" },
  { tag: tags.number, color: "var(--hearth-number)" },
  { tag: [tags.bool, tags.null, tags.keyword, tags.attributeName, tags.character], color: "var(--hearth-keyword)" },
  {
    tag: [tags.punctuation, tags.bracket, tags.comment, tags.processingInstruction],
    color: "var(--mantine-color-dimmed)",
  },
]);

const border = "1px solid var(--hearth-border)";

/** Code in the console's own colours, which follow the theme automatically. */
export const codeTheme: Extension = [
  syntaxHighlighting(colours),
  EditorView.theme({
    "&": { maxHeight: "var(--code-height, 480px)", fontSize: "0.75rem", color: "var(--mantine-color-text)" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)", lineHeight: "1.55", overflow: "auto" },
    ".cm-content": { padding: "6px 0", caretColor: "var(--hearth-accent)" },
    ".cm-content:focus-visible": { outline: "none" },
    ".cm-line": { padding: "0 12px" },
    ".cm-gutters": { background: "transparent", border: "none", color: "var(--mantine-color-dimmed)" },
    ".cm-gutters + .cm-content .cm-line": { paddingInlineStart: "2px" },
    ".cm-foldGutter .cm-gutterElement": { padding: "0 4px", cursor: "pointer" },
    ".cm-foldPlaceholder": {
      background: "var(--hearth-hover)",
      border,
      color: "var(--mantine-color-dimmed)",
      padding: "0 6px",
    },
    ".cm-selectionMatch, .cm-searchMatch": {
      background: "color-mix(in srgb, var(--hearth-busy) 22%, transparent)",
    },
    ".cm-searchMatch-selected": {
      background: "color-mix(in srgb, var(--hearth-busy) 38%, transparent)",
      outline: "1px solid var(--hearth-busy)",
    },
    "&.cm-focused .cm-matchingBracket": { background: "var(--hearth-selected)" },
    ".cm-specialChar": { color: "var(--hearth-down)" },
    ".cm-panels": { background: "var(--mantine-color-body)", color: "var(--mantine-color-text)" },
    ".cm-panels-top": { borderBottom: border },
    ".cm-search.cm-panel": {
      display: "flex",
      flexWrap: "wrap",
      alignItems: "center",
      gap: "4px",
      padding: "5px 28px 5px 8px",
      fontFamily: "var(--mantine-font-family)",
    },
    ".cm-search.cm-panel br, .cm-search.cm-panel [name=select], .cm-search.cm-panel label:has([name=word])": {
      display: "none",
    },
    ".cm-search.cm-panel label": {
      display: "flex",
      alignItems: "center",
      gap: "4px",
      margin: "0 4px",
      fontSize: "0.71875rem",
    },
    ".cm-search.cm-panel input[type=checkbox]": { margin: 0 },
    ".cm-search.cm-panel .cm-textfield": {
      margin: 0,
      height: "24px",
      width: "160px",
      padding: "0 6px",
      border,
      borderRadius: "var(--mantine-radius-xs)",
      background: "var(--mantine-color-body)",
      color: "var(--mantine-color-text)",
      fontSize: "0.75rem",
    },
    ".cm-search.cm-panel .cm-button": {
      margin: 0,
      height: "24px",
      padding: "0 8px",
      border,
      borderRadius: "var(--mantine-radius-xs)",
      background: "var(--hearth-hover)",
      color: "var(--mantine-color-text)",
      fontSize: "0.71875rem",
    },
    ".cm-search.cm-panel [name=close]": {
      color: "var(--mantine-color-dimmed)",
      fontSize: "1rem",
      width: "24px",
      height: "24px",
    },
  }),
];
