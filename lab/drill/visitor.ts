import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { chunksOf } from "@/lib/commands/testing/grove-process";
import { Random } from "@/lib/text/testing/random";
import { acknowledged, type Call } from "./retrying-client";

interface VisitorOptions {
  readonly address: string;
  readonly modelRef: string;
  readonly counts: Record<string, number>;
  readonly failures: string[];
  readonly seed: number;
}

const messagesOfSession = 12;
const leavesWithinMs = 150;
const pauseMs = 1_000;
const blocks = z.object({ blocks: z.array(z.object({ id: z.string(), label: z.string() })) });
const words = ["garden", "river", "winter", "letter", "copper", "violin", "harbour"] as const;

export class Visitor {
  readonly #options: VisitorOptions;
  readonly #random: Random;
  #chat = newChat();

  constructor(options: VisitorOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
  }

  async doEachOnce(): Promise<void> {
    for (const action of new Set(drawn)) await this.#do(action);
  }

  async visit(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.#do(this.#random.of(drawn));
      await delay(this.#random.next() * pauseMs);
    }
  }

  async #do(action: Action): Promise<void> {
    const { counts, failures } = this.#options;
    try {
      await this.#actions[action]();
      counts[action] = (counts[action] ?? 0) + 1;
    } catch (error) {
      failures.push(`${action}: ${String(error)}`);
    }
  }

  readonly #actions: Readonly<Record<Action, () => Promise<unknown>>> = {
    answers: () => this.#ask(),
    searches: () => this.#read(`/api/search?q=${this.#word()}`),
    pages: () => this.#read(`/s/${this.#chat.id}`),
    "event streams": () => this.#listen(),
    "memory edits": () => this.#editMemory(),
    imports: () => this.#importCopy(),
  };

  /** Follows the answer to its end in one tab, and leaves another. */
  async #ask(): Promise<void> {
    if (this.#chat.messages >= messagesOfSession) await this.#deleteChat();
    const { id } = this.#chat;
    const answerId = crypto.randomUUID();
    const parts = [{ type: "text", text: `Tell me about ${this.#word()} and ${this.#word()}.` }];
    await this.#call({
      method: "POST",
      path: `/api/sessions/${id}/messages`,
      body: {
        id: crypto.randomUUID(),
        parts,
        newSession: {},
        answerId,
        model: this.#options.modelRef,
      },
    });
    this.#chat.messages += 2;
    const leaving = AbortSignal.timeout(1 + this.#random.below(leavesWithinMs));
    await Promise.all([this.#follow(answerId), this.#follow(answerId, leaving)]);
  }

  async #follow(answerId: string, signal = new AbortController().signal): Promise<void> {
    const url = this.#url(`/api/sessions/${this.#chat.id}/runs/${answerId}/stream`);
    await untilLeft(signal, async () => {
      for await (const _ of chunksOf(url, { signal })) signal.throwIfAborted();
    });
  }

  async #listen(): Promise<void> {
    const signal = AbortSignal.timeout(1 + this.#random.below(leavesWithinMs));
    await untilLeft(signal, async () => {
      const { ok, body } = await fetch(this.#url("/api/events"), { signal });
      if (!ok) throw new Error("The events were refused.");
      await body?.pipeTo(new WritableStream(), { signal });
    });
  }

  async #editMemory(): Promise<void> {
    const listed = await this.#call({ method: "GET", path: "/api/blocks" });
    const memory = blocks.parse(listed).blocks.find(({ label }) => label === "memory");
    const content = Array.from({ length: 40 }, () => this.#word()).join(" ");
    await this.#call({ method: "PUT", path: `/api/blocks/${memory?.id}`, body: { content } });
  }

  async #importCopy(): Promise<void> {
    if (this.#chat.messages === 0) return;
    const { id } = this.#chat;
    const exported = await this.#read(`/api/sessions/${id}/export?as=json`);
    const copyId = crypto.randomUUID();
    const lines = exported.replaceAll(id, copyId);
    await this.#call({ method: "POST", path: "/api/import", lines });
    await this.#call({ method: "DELETE", path: `/api/sessions/${copyId}`, body: {} });
  }

  async #deleteChat(): Promise<void> {
    await this.#call({ method: "DELETE", path: `/api/sessions/${this.#chat.id}`, body: {} });
    this.#chat = newChat();
  }

  async #read(path: string): Promise<string> {
    const response = await fetch(this.#url(path));
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was refused with status ${response.status}.`);
    return text;
  }

  #call(request: Call): Promise<unknown> {
    return acknowledged(this.#options.address, request);
  }

  #url(path: string): string {
    return `${this.#options.address}${path}`;
  }

  #word(): string {
    return this.#random.of(words);
  }
}

type Action = (typeof drawn)[number];

/** Actions to draw from; frequent ones are listed more often. */
const drawn = [
  ...["answers", "answers", "answers", "answers", "answers", "answers"],
  ...["searches", "searches", "searches"],
  ...["pages", "pages", "event streams", "event streams"],
  ...["memory edits", "memory edits", "imports"],
] as const;

function newChat(): { readonly id: string; messages: number } {
  return { id: `soak-${crypto.randomUUID()}`, messages: 0 };
}

async function untilLeft(signal: AbortSignal, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
