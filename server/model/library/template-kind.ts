/** The keywords that start an action in Go. Other actions start with a name, which has a dot or a dollar before it. */
const goWords = new Set(
  ". $ if else end range with template define block break continue json eq ne and or not len index slice currentDate".split(
    " ",
  ),
);
const actionStart = /\{\{-?\s*([.$]|\w+)/g;

/**
 * Whether the text is a template of Go's text/template, as in Ollama's own models, and not Jinja. Both use braces, but
 * in Jinja no statement stands in double ones and no name begins with a dot.
 */
export const isGoTemplate = (text: string) =>
  !text.includes("{%") && [...text.matchAll(actionStart)].some(([, word = ""]) => goWords.has(word));
