/** Whether each line stands in the output, in this order; `…` stands for anything. */
export function prints(output: string, expected: string): boolean {
  const lines = output.split("\n");
  return expected.split("\n").every((line) => {
    const pieces = line.trim().split("…");
    const fits = (one: string) => {
      let from = 0;
      return pieces.every((piece) => {
        const at = one.indexOf(piece, from);
        from = at + piece.length;
        return at >= 0;
      });
    };
    const at = lines.findIndex(fits);
    lines.splice(0, at + 1);
    return at >= 0;
  });
}
