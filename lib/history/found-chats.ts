import { type ChatRecords, chatRecords } from "./chat-records";
import { named } from "./foreign-chat";
import type { Found } from "./read-files";

/** A chat in a file, as the person chooses it. */
export interface FoundChat {
  /** The id it has here. */
  readonly id: string;
  readonly title: string;
  readonly product: string;
  readonly updatedAt: string | null;
  readonly messages: number;
  readonly branches: number;
  /** Sentences on what cannot be taken. */
  readonly losses: readonly string[];
}

export interface FoundProblem {
  readonly name: string;
  readonly message: string;
}

/** The contents of files: each chat once, texts to remember, and a sentence for everything that is left out. */
export class FoundChats {
  readonly instructions = new Set<string>();
  readonly #known = new Set<string>();
  readonly #twins: string[] = [];
  #chats: FoundChat[] = [];
  #problems: FoundProblem[] = [];

  /** @returns the chat, unless it is left out. */
  add(found: Found): FoundChat | null {
    if (found.type === "chat") return this.#addChat(found);
    if (found.type === "instructions") this.#remember(found.texts);
    else this.#problems.push(found);
    return null;
  }

  /** Chats and problems since the last call. */
  take(): { readonly chats: readonly FoundChat[]; readonly problems: readonly FoundProblem[] } {
    const taken = { chats: this.#chats, problems: this.#problems };
    [this.#chats, this.#problems] = [[], []];
    return taken;
  }

  /** Call after the last one. */
  end(): void {
    if (this.#twins.length === 0) return;
    const message = "The files hold chats with one id more than once. The first of each is taken.";
    this.#problems.push({ name: named(this.#twins), message });
  }

  #addChat({ chat, has }: Extract<Found, { type: "chat" }>): FoundChat | null {
    this.#remember(chat.instructions);
    const title = chat.title || "Untitled chat";
    let records: ChatRecords | null;
    try {
      // Files are opened when the chat is imported.
      records = chatRecords(chat, (file) => (has(file) ? { type: "file" } : null));
    } catch {
      this.#problems.push({ name: title, message: "It is damaged, and cannot be read." });
      return null;
    }
    if (!records) {
      this.#problems.push({
        name: title,
        message: `It holds no messages. ${chat.losses.join(" ")}`.trim(),
      });
      return null;
    }
    if (this.#known.has(records.id)) {
      this.#twins.push(records.title);
      return null;
    }
    this.#known.add(records.id);
    const { id, messages, branches, losses } = records;
    const updatedAt = (chat.updatedAt ?? chat.createdAt)?.toISOString() ?? null;
    const about = { id, title: records.title, product: chat.product, updatedAt };
    const found = { ...about, messages, branches, losses };
    this.#chats.push(found);
    return found;
  }

  #remember(texts: readonly string[]): void {
    for (const each of texts) this.instructions.add(each);
  }
}
