const mostRepeated = 2_000;
const leastRepeated = 5;

/** Some models repeat the last words or leave out the space between. */
export class Seam {
  readonly #tail: string;
  readonly #trailing: string;
  readonly #isCode: boolean;
  readonly #repeats: boolean;
  #held = "";
  #isJoined = false;

  constructor(kept: string, { repeats }: { readonly repeats: boolean }) {
    const trimmed = kept.trimEnd();
    this.#tail = trimmed.slice(-mostRepeated);
    this.#trailing = kept.slice(trimmed.length);
    this.#isCode = (kept.match(/^ {0,3}(```|~~~)/gm)?.length ?? 0) % 2 === 1;
    this.#repeats = repeats;
  }

  push(delta: string): string {
    if (this.#isJoined) return delta;
    this.#held += delta;
    if (this.#held.trim() === "" || (this.#repeats && this.#mayRepeat())) return "";
    return this.#join();
  }

  end(): string {
    return this.#isJoined ? "" : this.#join();
  }

  #mayRepeat(): boolean {
    if (/^\s*\.{1,2}$/.test(this.#held)) return true;
    const said = withoutDots(this.#held);
    if (said.length >= this.#tail.length) return false;
    return said === "" || this.#tail.includes(said);
  }

  #join(): string {
    this.#isJoined = true;
    const repeated = this.#repeats ? this.#repeatedLength(withoutDots(this.#held)) : 0;
    if (repeated > 0) return this.#afterSpace(withoutDots(this.#held).slice(repeated));
    const isDotted = this.#repeats && dots.test(this.#held.trimStart());
    const next = isDotted ? withoutDots(this.#held) : this.#held;
    if (this.#trailing !== "") return this.#afterSpace(next);
    return this.#repeats && !this.#isCode && needsSpace(this.#tail, next) ? ` ${next}` : next;
  }

  /** 0 for an overlap too short to be meant. */
  #repeatedLength(said: string): number {
    const lastLine = this.#tail.slice(this.#tail.lastIndexOf("\n") + 1).trim().length;
    const least = Math.max(3, Math.min(leastRepeated, lastLine));
    for (let length = Math.min(said.length, this.#tail.length); length >= least; length -= 1)
      if (this.#tail.endsWith(said.slice(0, length))) return length;
    return 0;
  }

  #afterSpace(next: string): string {
    if (this.#trailing.includes("\n")) return next.replace(/^[ \t]*\n+/, "");
    return this.#trailing === "" ? next : next.replace(/^ +/, "");
  }
}

function withoutDots(text: string): string {
  return text.trimStart().replace(dots, "");
}

const dots = /^(?:…|\.\.\.)\s*/;

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;

function needsSpace(before: string, next: string): boolean {
  const [last = "", first = ""] = [before.match(/.$/su)?.[0], next.match(/^./su)?.[0]];
  if (unspaced.test(last) || unspaced.test(first)) return false;
  return /[\p{L}\p{N},;:.!?)]/u.test(last) && /[\p{L}\p{N}(]/u.test(first);
}
