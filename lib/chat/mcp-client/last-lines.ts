import { stripVTControlCharacters } from "node:util";
import { cleanText } from "@/lib/chat/core/clean-text";
import { redactSecrets } from "@/lib/llm";

const most = { kept: 24_000, lines: 12, ofLine: 300 };
/** A key that was cut is not found. */
const longestKey = 8_000;

export class LastLines {
  #text = "";
  #isCut = false;

  add(text: string): void {
    const all = this.#text + text;
    this.#isCut ||= all.length > most.kept;
    this.#text = all.slice(-most.kept);
  }

  read(hide: (text: string) => string): string[] {
    const whole = this.#isCut ? this.#text.slice(longestKey).replace(/^[^\n]*\n/, "") : this.#text;
    const shown = redactSecrets(hide(cleanText(stripVTControlCharacters(whole))));
    return shown
      .split(/\r?\n/)
      .map((line) => line.trimEnd().slice(0, most.ofLine).toWellFormed())
      .filter((line) => line !== "")
      .slice(-most.lines);
  }
}
