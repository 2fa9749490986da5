export type ReadEvent =
  | { readonly value: object; readonly name: string | undefined }
  | { readonly text: string; readonly name: string | undefined };

const longestStray = 2_000;

/**
 * Data that is whole JSON is an event at once: many servers forget the empty line, or send it late. @see
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class EventLines {
  readonly #parse: (text: string) => unknown;
  #events: ReadEvent[] = [];
  /** Pieces of an open line: joining them each time would take quadratic time. */
  #line: string[] = [];
  #isAfterReturn = false;
  #name: string | undefined;
  #data: string[] = [];
  #nesting: Nesting | null = null;
  stray = "";

  constructor(parse: (text: string) => unknown) {
    this.#parse = parse;
  }

  feed(text: string): void {
    let from = this.#isAfterReturn && text.startsWith("\n") ? 1 : 0;
    if (text !== "") this.#isAfterReturn = text.endsWith("\r");
    let returned = text.indexOf("\r", from);
    for (;;) {
      if (returned !== -1 && returned < from) returned = text.indexOf("\r", from);
      const fed = text.indexOf("\n", from);
      const at = fed === -1 || (returned !== -1 && returned < fed) ? returned : fed;
      if (at === -1) break;
      const rest = text.slice(from, at);
      this.#take(this.#line.length === 0 ? rest : this.#line.splice(0).join("") + rest);
      from = at === returned && fed === at + 1 ? at + 2 : at + 1;
    }
    if (from < text.length) this.#line.push(text.slice(from));
  }

  taken(): readonly ReadEvent[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }

  end(): void {
    this.feed("\n\n");
  }

  noteStray(text: string): void {
    if (this.stray.length < longestStray) this.stray += `${text}\n`;
  }

  #take(line: string): void {
    if (line.startsWith("data:")) this.#takeData(dataOf(line));
    else if (line === "") this.#dispatch();
    else this.#takeOther(line);
  }

  #takeOther(line: string): void {
    const [, field, value = ""] = /^(event|id|retry|data)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "event") this.#name = value;
    if (field !== undefined || line.startsWith(":")) return;
    const [, error] = /^error: ?(.+)$/s.exec(line) ?? [];
    if (error !== undefined) this.#events.push({ text: error, name: "error" });
    else if (this.#data.length > 0) this.#hold(line);
    else this.#takeBare(line);
  }

  #takeData(data: string): void {
    if (this.#nesting) {
      const isClosed = this.#hold(data);
      if (isClosed && this.#parse(this.#data.join("\n")) !== undefined) this.#dispatchData();
      return;
    }
    const value = this.#parse(data);
    const isValue = typeof value === "object" && value !== null;
    const isJson = !isValue && /^\s*(?:\{|\[(?!done))/i.test(data);
    const isPart = !isValue && !isJson && this.#data.length > 0 && !/^\s*\[done/i.test(data);
    if (!isPart) this.#dispatchData();
    if (isValue) this.#events.push({ value, name: this.#name });
    else this.#hold(data);
    if (!isValue && !isJson && !isPart) this.#dispatchData();
  }

  #hold(line: string): boolean {
    if (this.#data.length === 0 && isOpening.test(line)) this.#nesting = new Nesting();
    this.#data.push(line);
    return this.#nesting?.closes(line) ?? false;
  }

  /** Some proxies report their own errors as bare JSON. */
  #takeBare(line: string): void {
    const value = /^\s*\{/.test(line) ? this.#parse(line) : undefined;
    if (typeof value === "object" && value !== null) this.#events.push({ value, name: undefined });
    else this.noteStray(line);
  }

  #dispatch(): void {
    this.#dispatchData();
    this.#name = undefined;
  }

  #dispatchData(): void {
    this.#nesting = null;
    if (this.#data.length > 0)
      this.#events.push({ text: this.#data.splice(0).join("\n"), name: this.#name });
  }
}

const isOpening = /^\s*[{[]\s*$/;

/** Parsing all lines after each possible last one would take quadratic time. */
class Nesting {
  #depth = 0;
  #isInText = false;
  #wasClosed = false;

  closes(line: string): boolean {
    if (this.#wasClosed) return false;
    for (const [sign] of line.matchAll(/\\.|["{}[\]]/gs)) {
      if (sign === '"') this.#isInText = !this.#isInText;
      else if (this.#isInText || sign.startsWith("\\")) continue;
      else this.#depth += sign === "{" || sign === "[" ? 1 : -1;
      if (this.#depth > 0) continue;
      this.#wasClosed = true;
      return true;
    }
    return false;
  }
}

/** Some proxies write the name of the field twice. */
function dataOf(line: string): string {
  let from = 0;
  while (line.startsWith("data:", from)) from += line[from + 5] === " " ? 6 : 5;
  return line.slice(from);
}
