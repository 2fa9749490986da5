import type { PublishedEvent } from "./published-schemas";

interface Item {
  readonly id: string;
  piece: string | null;
  done: string | null;
}

/**
 * Reads the events of a response in the order of the specification: numbers without gaps; the response first and last;
 * each item added, filled and done; and nothing in the end that the events did not say.
 *
 * @throws {Error} that names the event out of order.
 */
export class EventOrder {
  #next: number;
  readonly #items: Item[] = [];
  #last: PublishedEvent | null = null;

  /** `after` is the number that the first event follows. */
  constructor(after = -1) {
    this.#next = after + 1;
  }

  get hasEnded(): boolean {
    return this.#last !== null && isEnd(this.#last);
  }

  read(event: PublishedEvent): void {
    this.#expect(!this.hasEnded, event, "comes after the end");
    this.#expect(event.sequence_number === this.#next, event, `is not number ${this.#next}`);
    const first = ["response.created", "response.in_progress"][event.sequence_number];
    const begins = event.type === "response.created" || event.type === "response.in_progress";
    this.#expect(begins ? event.type === first : first === undefined, event, "is no beginning");
    this.#next += 1;
    this.#last = event;
    if (isEnd(event)) this.#readEnd(event);
    else if (!begins) this.#readInItem(event);
  }

  #readInItem(event: PublishedEvent): void {
    if (!("output_index" in event)) return;
    const item = this.#items[event.output_index];
    if (event.type === "response.output_item.added") {
      this.#expect(event.output_index === this.#items.length, event, "skips an item");
      this.#items.push({ id: event.item.id, piece: null, done: null });
      return;
    }
    const isOpen = item !== undefined && item.done === null;
    if (!isOpen) throw this.#outOfOrder(event, "is of no open item");
    if (event.type === "response.output_item.done") {
      this.#expect(event.item.id === item.id, event, "is of another item");
      item.done = JSON.stringify(event.item);
      return;
    }
    this.#expect(event.item_id === item.id, event, "is of another item");
    this.#readPiece(item, event);
  }

  #readPiece(item: Item, event: PublishedEvent): void {
    if ("delta" in event) {
      if (!event.type.includes("arguments"))
        this.#expect(item.piece !== null, event, "has no beginning");
      item.piece = (item.piece ?? "") + event.delta;
    } else if ("part" in event && event.type.endsWith(".added")) {
      this.#expect(item.piece === null, event, "comes before the end of another");
      item.piece = event.part.text;
    } else if ("part" in event) {
      this.#expect(item.piece === event.part.text, event, "differs from its pieces");
    } else if ("text" in event) {
      this.#expect(item.piece === event.text, event, "differs from its pieces");
    } else if ("arguments" in event && item.piece !== null && item.piece !== "") {
      this.#expect(item.piece === event.arguments, event, "differs from its pieces");
    }
  }

  #readEnd(event: PublishedEvent): void {
    const response = "response" in event ? event.response : null;
    for (const item of this.#items)
      this.#expect(item.done !== null, event, `leaves ${item.id} open`);
    const output = response?.output.map((item) => JSON.stringify(item));
    this.#expect(
      JSON.stringify(output) === JSON.stringify(this.#items.map(({ done }) => done)),
      event,
      "has an output that the events did not say",
    );
  }

  #expect(holds: boolean, event: PublishedEvent, problem: string): void {
    if (!holds) throw this.#outOfOrder(event, problem);
  }

  #outOfOrder(event: PublishedEvent, problem: string): Error {
    return new Error(`Event ${event.sequence_number}, ${event.type}, ${problem}.`);
  }
}

function isEnd({ type }: PublishedEvent): boolean {
  return (
    type === "response.completed" || type === "response.failed" || type === "response.incomplete"
  );
}
