/** Some gateways give a reason in every event, others before the first word. */
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

export type Over = "no" | "maybe" | "surely";
