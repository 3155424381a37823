const goAction =
  /\{\{-?\s*(?:[.$]|(?:if|else|end|range|with|template|define|block|break|continue|json|eq|ne|and|or|not|len|index|slice|currentDate)\b)/;

/**
 * Whether the text is a template of Go's text/template, as Ollama's own models have, and not Jinja: the two share their
 * braces, but no statement of Jinja stands in double ones and no name in it begins with a dot.
 */
export const isGoTemplate = (text: string) => !/\{%/.test(text) && goAction.test(text);
