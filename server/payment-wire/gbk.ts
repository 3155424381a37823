/** Text in GBK, in which Alipay writes its bills. Node only decodes it, so the table is read backwards. */
let bytesOf: ReadonlyMap<string, number> | undefined;

function readTable(): ReadonlyMap<string, number> {
  const decoder = new TextDecoder("gbk");
  const table = new Map<string, number>();
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if (trail !== 0x7f && !character.includes("\uFFFD") && !table.has(character))
        table.set(character, (lead << 8) | trail);
    }
  return table;
}

/** Characters that GBK does not have become `?`. */
export function encodeGbk(text: string): Buffer {
  bytesOf ??= readTable();
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const pair = code < 0x80 ? code : bytesOf.get(character);
    if (pair === undefined) bytes.push(0x3f);
    else if (pair < 0x80) bytes.push(pair);
    else bytes.push(pair >> 8, pair & 0xff);
  }
  return Buffer.from(bytes);
}
