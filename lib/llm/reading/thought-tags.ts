import type { LanguageModelV4Content } from "@ai-sdk/provider";
import type { PartSink, StreamPart } from "@/lib/llm/stream-parts";
import type { Transform } from "@/lib/llm/transform-stream";
import { isInCode } from "./code-places";

const names = ["think", "thinking", "thought"] as const;
const openings = names.map((name) => `<${name}>`);
const closings = names.map((name) => `</${name}>`);
const opening = /<(?:think|thinking|thought)>/i;
const closing = /<\/(?:think|thinking|thought)>/i;

export type Meant =
  | { readonly meant: "reasoning" }
  | { readonly meant: "text"; readonly opening: string };

/**
 * A thought begins only at the beginning of a step's text, or after another thought. Text already shown is marked as a
 * thought by a closing tag; a thought that never closes is marked as text.
 */
export function thoughtTags(): Transform<StreamPart> {
  return new ThoughtTags();
}

export function withoutTags(text: string): LanguageModelV4Content[] {
  const content: { type: "text" | "reasoning"; text: string }[] = [];
  const enqueue = (part: StreamPart) => {
    const last = content.at(-1);
    if (part.type === "text-start") content.push({ type: "text", text: "" });
    if (part.type === "reasoning-start") content.push({ type: "reasoning", text: "" });
    if ((part.type === "text-delta" || part.type === "reasoning-delta") && last)
      last.text += part.delta;
    const { meant, opening: before = "" } =
      (part as { providerMetadata?: Marks }).providerMetadata?.grove ?? {};
    if (last && meant) content[content.length - 1] = { type: meant, text: before + last.text };
  };
  const tags = new ThoughtTags();
  const output = { enqueue, terminate: () => undefined };
  tags.transform({ type: "text-start", id: "text" }, output);
  tags.transform({ type: "text-delta", id: "text", delta: text }, output);
  tags.transform({ type: "text-end", id: "text" }, output);
  tags.transform({ type: "finish", finishReason: { unified: "stop" } } as StreamPart, output);
  return content.filter((part) => part.text !== "");
}

interface Marks {
  readonly grove?: { readonly meant?: Meant["meant"]; readonly opening?: string };
}

class ThoughtTags implements Transform<StreamPart> {
  #phase: "start" | "thought" | "text" = "start";
  #held = "";
  #text: string | null = "";
  #tag = "";
  #tail = "";
  #isThoughtRead = false;
  #source: Extract<StreamPart, { type: "text-start" }> | null = null;
  #isOpen = false;
  #isWaiting = false;
  #isPlain = false;

  transform(part: StreamPart, output: PartSink): void {
    if (this.#isPlain) {
      output.enqueue(part);
      return;
    }
    switch (part.type) {
      case "text-start":
        if (this.#isWaiting) this.#endThought(output, { isComplete: true });
        else if (this.#source !== null) {
          this.#giveUp(output);
          output.enqueue(part);
          return;
        }
        if (this.#phase === "text") output.enqueue(part);
        this.#source = part;
        this.#isOpen = this.#phase === "text";
        return;
      case "text-delta":
        this.#take(part, output);
        return;
      case "text-end":
        this.#end(part, output);
        return;
      case "reasoning-start":
        this.#isThoughtRead = true;
        output.enqueue(part);
        return;
      case "finish": {
        const { unified } = part.finishReason;
        if (this.#isWaiting)
          this.#endThought(output, { isComplete: unified === "stop" || unified === "tool-calls" });
        output.enqueue(part);
        return;
      }
      default:
        output.enqueue(part);
        return;
    }
  }

  flush(output: PartSink): void {
    if (this.#isWaiting) this.#endThought(output, { isComplete: false });
  }

  #take(part: Extract<StreamPart, { type: "text-delta" }>, output: PartSink): void {
    if (this.#phase === "text" && this.#text === null) {
      output.enqueue(part);
      return;
    }
    if (part.providerMetadata !== undefined && this.#phase !== "thought") {
      this.#release(output);
      this.#text = null;
      this.#write(part.delta, output);
      return;
    }
    this.#held += part.delta;
    while (this.#step(output));
  }

  #step(output: PartSink): boolean {
    switch (this.#phase) {
      case "start":
        return this.#begin(output);
      case "thought":
        return this.#think(output);
      case "text":
        return this.#say(output);
    }
  }

  #begin(output: PartSink): boolean {
    const text = this.#held.trimStart();
    const tag = tagAt(text, opening);
    if (tag !== null) {
      this.#phase = "thought";
      this.#tail = "";
      this.#tag = this.#held.slice(0, this.#held.length - text.length) + tag;
      this.#held = text.slice(tag.length);
      output.enqueue({ type: "reasoning-start", id: this.#id });
      return true;
    }
    const stray = this.#text === null ? null : tagAt(text, closing);
    if (stray !== null) {
      this.#text = null;
      this.#isThoughtRead = true;
      this.#held = text.slice(stray.length);
      return true;
    }
    if (text === "" || [...openings, ...closings].some((each) => begins(each, text))) return false;
    if (this.#isThoughtRead) this.#held = text;
    this.#phase = "text";
    return true;
  }

  #think(output: PartSink, { isEnd = false } = {}): boolean {
    const close = `</${/\w+/.exec(this.#tag)?.[0] ?? ""}>`.toLowerCase();
    const found = closingAt(this.#held, close, this.#tail);
    const isClosed = found !== null && (!found.isAsked || isEnd);
    if (isClosed) {
      this.#thought(this.#held.slice(0, found.at).trimEnd(), output);
      this.#held = this.#held.slice(found.at + close.length);
      output.enqueue({ type: "reasoning-end", id: this.#id });
      this.#phase = "start";
      this.#isThoughtRead = true;
      this.#text = null;
      return true;
    }
    const most = found?.at ?? this.#held.length - heldLength(this.#held, [close]);
    const sent = this.#held.slice(0, most).trimEnd();
    this.#thought(sent, output);
    this.#held = this.#held.slice(sent.length);
    return false;
  }

  #say(output: PartSink): boolean {
    if (this.#text === null || this.#isThoughtRead) {
      this.#text = null;
      this.#release(output);
      return false;
    }
    const at = this.#held.search(closing);
    const opens = this.#held.search(opening);
    if (opens !== -1 && (at === -1 || opens < at)) this.#text = null;
    else if (at !== -1) return this.#close(at, output);
    if (this.#text === null) return true;
    const kept = heldLength(this.#held, [...closings, ...openings]);
    this.#sayUpTo(this.#held.length - kept, output);
    return false;
  }

  #close(at: number, output: PartSink): boolean {
    const [tag = ""] = closing.exec(this.#held.slice(at)) ?? [];
    const before = (this.#text ?? "") + this.#held.slice(0, at);
    if (isInCode(before)) {
      this.#sayUpTo(at + tag.length, output);
      return true;
    }
    this.#sayUpTo(at, output);
    this.#held = this.#held.slice(tag.length);
    if (this.#isOpen) {
      const meant: Meant = { meant: "reasoning" };
      output.enqueue({ type: "text-end", id: this.#id, providerMetadata: { grove: meant } });
    }
    this.#isOpen = false;
    this.#phase = "start";
    this.#isThoughtRead = true;
    this.#text = null;
    return true;
  }

  #sayUpTo(length: number, output: PartSink): void {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    if (this.#text !== null) this.#text += text;
    this.#write(text, output);
  }

  #release(output: PartSink): void {
    const text = this.#held;
    this.#held = "";
    if (text !== "") this.#phase = "text";
    this.#write(text, output);
  }

  #write(text: string, output: PartSink): void {
    if (text === "") return;
    if (!this.#isOpen) output.enqueue(this.#source ?? { type: "text-start", id: this.#id });
    this.#isOpen = true;
    output.enqueue({ type: "text-delta", id: this.#id, delta: text });
  }

  #thought(text: string, output: PartSink): void {
    if (text === "") return;
    this.#tail = (this.#tail + text).slice(-2);
    output.enqueue({ type: "reasoning-delta", id: this.#id, delta: text });
  }

  #end(part: Extract<StreamPart, { type: "text-end" }>, output: PartSink): void {
    if (this.#phase === "thought" && !this.#think(output, { isEnd: true })) {
      this.#isWaiting = true;
      return;
    }
    this.#release(output);
    const hasNote = part.providerMetadata !== undefined;
    if (!this.#isOpen && hasNote)
      output.enqueue(this.#source ?? { type: "text-start", id: part.id });
    if (this.#isOpen || hasNote) output.enqueue(part);
    this.#isOpen = false;
    this.#source = null;
  }

  #giveUp(output: PartSink): void {
    if (this.#phase === "thought") this.#endThought(output, { isComplete: true });
    this.#release(output);
    if (!this.#isOpen && this.#source) output.enqueue(this.#source);
    this.#isPlain = true;
  }

  #endThought(output: PartSink, { isComplete }: { readonly isComplete: boolean }): void {
    this.#isWaiting = false;
    this.#thought(this.#held, output);
    this.#held = "";
    this.#phase = "text";
    this.#text = null;
    const meant: Meant = { meant: "text", opening: this.#tag };
    output.enqueue({
      type: "reasoning-end",
      id: this.#id,
      ...(isComplete && { providerMetadata: { grove: meant } }),
    });
  }

  get #id(): string {
    return this.#source?.id ?? "text";
  }
}

function tagAt(text: string, tag: RegExp): string | null {
  const found = tag.exec(text.slice(0, 12));
  return found?.index === 0 ? found[0] : null;
}

function begins(tag: string, text: string): boolean {
  return tag.startsWith(text.toLowerCase());
}

/** Thoughts mention their own tag as code. `isAsked`: the next character decides. */
function closingAt(
  text: string,
  close: string,
  tail: string,
): { readonly at: number; readonly isAsked: boolean } | null {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(close); at !== -1; at = lower.indexOf(close, at + close.length)) {
    const isAfterCode = /(?:^|[^`])`$/.test((tail + text.slice(0, at)).slice(-2));
    const next = text[at + close.length];
    if (!isAfterCode || next !== "`") return { at, isAsked: isAfterCode && next === undefined };
  }
  return null;
}

function heldLength(text: string, tags: readonly string[]): number {
  const at = text.lastIndexOf("<");
  if (at === -1) return 0;
  const end = text.slice(at).toLowerCase();
  return tags.some((tag) => tag.startsWith(end)) ? end.length : 0;
}
