import { notATable } from './tables.errors.ts';

const bytesMax = 32 * 1024 * 1024;

/** Many short texts in little memory: their bytes one behind the other. */
export class PackedTexts {
  #bytes = Buffer.alloc(64 * 1024);
  #ends = new Uint32Array(1024);
  #count = 0;

  /** @throws VALIDATION_ERROR beyond 32 MiB */
  add(text: string): void {
    const from = this.#endOf(this.#count);
    const end = from + Buffer.byteLength(text);
    if (end > bytesMax) throw notATable('bomb');
    if (end > this.#bytes.length) this.#bytes = grown(this.#bytes, Buffer.alloc(2 * end));
    if (this.#count === this.#ends.length) this.#ends = grown(this.#ends, new Uint32Array(2 * this.#count));
    this.#bytes.write(text, from);
    this.#ends[this.#count] = end;
    this.#count += 1;
  }

  /** The text at a place; undefined if there is none. */
  at(place: number): string | undefined {
    return place >= 0 && place < this.#count
      ? this.#bytes.toString('utf8', this.#endOf(place), this.#endOf(place + 1))
      : undefined;
  }

  #endOf(count: number): number {
    return count === 0 ? 0 : (this.#ends[count - 1] ?? 0);
  }
}

function grown<Numbers extends Uint8Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
