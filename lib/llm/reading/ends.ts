/**
 * Tells how sure it is that an answer is over, from the reasons in its events. Some gateways give one in every event, and
 * others before the first word.
 */
export class Ends {
  #hasWords = false;
  #hasReason = false;
  #isAlone = false;
  #isDoubtful = false;

  note({ words, reason }: { readonly words: boolean; readonly reason: boolean }): void {
    if (words && this.#hasReason) this.#isDoubtful = true;
    this.#hasWords ||= words;
    if (!reason) return;
    this.#hasReason = true;
    this.#isAlone = this.#hasWords && !words;
  }

  get state(): Over {
    if (!this.#hasReason) return "no";
    return this.#isAlone && !this.#isDoubtful ? "surely" : "maybe";
  }
}

/** Certainty that an answer is over while its body is still open. */
export type Over = "no" | "maybe" | "surely";
