/** A place in the text of a template, whose lines are counted. */
export class SourceCursor {
  readonly source: string;
  at = 0;
  line = 1;
  constructor(source: string) {
    this.source = source;
  }

  get isAtEnd(): boolean {
    return this.at >= this.source.length;
  }
  /** @param pattern global, for the next place from here on, or sticky, for this one */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.source);
  }
  moveTo(at: number): void {
    this.countLines(this.source.slice(this.at, at));
    this.at = at;
  }
  countLines(text: string): void {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.line++;
  }
}
