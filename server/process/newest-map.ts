/**
 * A map of the newest entries: at least half of `most`, and never more. The older half is dropped at once, because the
 * first entry of one map gets slower to reach with every deleted one before it.
 */
export class NewestMap<Key, Value> {
  readonly #half: number;
  readonly #onDrop: (dropped: ReadonlyMap<Key, Value>) => void;
  #newer = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  constructor(most: number, onDrop: (dropped: ReadonlyMap<Key, Value>) => void = () => undefined) {
    this.#half = Math.ceil(most / 2);
    this.#onDrop = onDrop;
  }

  get(key: Key): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  has(key: Key): boolean {
    return this.#newer.has(key) || this.#older.has(key);
  }

  /** Makes it the newest. */
  set(key: Key, value: Value): void {
    this.#older.delete(key);
    this.#newer.set(key, value);
    if (this.#newer.size < this.#half) return;
    this.#onDrop(this.#older);
    this.#older = this.#newer;
    this.#newer = new Map();
  }

  delete(key: Key): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }

  /** A copy, so that the entries may be changed meanwhile. */
  entries(): [Key, Value][] {
    return [...this.#older, ...this.#newer];
  }
}
