/** The words with which an action of Go begins, unless with a name, which has a dot or a dollar before it. */
const goWords = new Set(
  ". $ if else end range with template define block break continue json eq ne and or not len index slice currentDate".split(
    " ",
  ),
);
const actionStart = /\{\{-?\s*([.$]|\w+)/g;

/**
 * Whether the text is a template of Go's text/template, as Ollama's own models have, and not Jinja: the two share their
 * braces, but no statement of Jinja stands in double ones and no name in it begins with a dot.
 */
export const isGoTemplate = (text: string) =>
  !text.includes("{%") && [...text.matchAll(actionStart)].some(([, word = ""]) => goWords.has(word));
