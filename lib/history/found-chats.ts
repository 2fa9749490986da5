import { type ChatRecords, chatRecords } from "./chat-records";
import { named } from "./foreign-chat";
import type { Found } from "./read-files";

export interface FoundChat {
  readonly id: string;
  readonly title: string;
  readonly product: string;
  readonly updatedAt: string | null;
  readonly messages: number;
  readonly branches: number;
  readonly losses: readonly string[];
}

export interface FoundProblem {
  readonly name: string;
  readonly message: string;
}

export class FoundChats {
  readonly instructions = new Set<string>();
  readonly #known = new Set<string>();
  readonly #twins: string[] = [];
  #chats: FoundChat[] = [];
  #problems: FoundProblem[] = [];

  add(found: Found): FoundChat | null {
    if (found.type === "chat") return this.#addChat(found);
    if (found.type === "instructions") this.#remember(found.texts);
    else this.#problems.push(found);
    return null;
  }

  take(): { readonly chats: readonly FoundChat[]; readonly problems: readonly FoundProblem[] } {
    const taken = { chats: this.#chats, problems: this.#problems };
    [this.#chats, this.#problems] = [[], []];
    return taken;
  }

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
