export interface Deletable {
  readonly id: string;
  readonly kind: "chat" | "message" | "section" | "entry";
  readonly chatId: string | null;
}

/** Requests with ids of their client, which may repeat them. */
export type Operation =
  | { readonly type: "delete"; readonly deletionId: string; readonly targets: readonly string[] }
  | { readonly type: "restore"; readonly deletionId: string };

/** The deletion in force, or why there is none. */
export type Outcome =
  | { readonly deletionId: string; readonly removed: readonly string[] }
  | "restored"
  | "refused";

interface Noted {
  readonly targets: readonly string[];
  readonly removed: readonly string[];
  readonly sameAs: string | null;
}

/** Deletions as the documents describe them, without any storage. */
export class DeletionModel {
  readonly #items: ReadonlyMap<string, Deletable>;
  readonly #deletedBy: Map<string, string>;
  readonly #noted: Map<string, Noted>;

  constructor(
    items: Iterable<Deletable>,
    deletedBy: Iterable<[string, string]> = [],
    noted: Iterable<[string, Noted]> = [],
  ) {
    this.#items = new Map([...items].map((item) => [item.id, item]));
    this.#deletedBy = new Map(deletedBy);
    this.#noted = new Map(noted);
  }

  copy(): DeletionModel {
    return new DeletionModel(this.#items.values(), this.#deletedBy, this.#noted);
  }

  get requests(): Extract<Operation, { type: "delete" }>[] {
    return [...this.#noted].map(([deletionId, { targets }]) => ({
      type: "delete",
      deletionId,
      targets,
    }));
  }

  isThere(id: string): boolean {
    return !this.#deletedBy.has(id);
  }

  isShown(item: Deletable): boolean {
    return this.isThere(item.id) && (item.chatId === null || this.isThere(item.chatId));
  }

  /** Deletions that a person can restore, sorted. */
  get restorable(): string[] {
    const shown = [...this.#deletedBy].filter(([id]) => this.#chatIsThere(id));
    return [...new Set(shown.map(([, deletionId]) => deletionId))].sort();
  }

  apply(operation: Operation): Outcome {
    return operation.type === "delete"
      ? this.#delete(operation.deletionId, operation.targets)
      : this.#restore(operation.deletionId);
  }

  #delete(deletionId: string, targets: readonly string[]): Outcome {
    if (!targets.every((id) => this.#chatIsThere(id))) return "refused";
    const noted = this.#noted.get(deletionId);
    if (noted) return this.#outcomeOf(noted.sameAs ?? deletionId);
    const removed = targets.filter((id) => this.isThere(id));
    const earlier = new Set(targets.flatMap((id) => this.#deletedBy.get(id) ?? []));
    const [only = null] = earlier;
    const sameAs = removed.length === 0 && earlier.size === 1 ? only : null;
    this.#noted.set(deletionId, { targets, removed, sameAs });
    for (const id of removed) this.#deletedBy.set(id, deletionId);
    return this.#outcomeOf(sameAs ?? deletionId);
  }

  #restore(asked: string): Outcome {
    const deletionId = this.#noted.get(asked)?.sameAs ?? asked;
    const noted = this.#noted.get(deletionId);
    const gone = noted?.removed.filter((id) => this.#deletedBy.get(id) === deletionId) ?? [];
    if (!noted || !gone.every((id) => this.#chatIsThere(id))) return "refused";
    for (const id of gone) this.#deletedBy.delete(id);
    return "restored";
  }

  #outcomeOf(deletionId: string): Outcome {
    return { deletionId, removed: [...(this.#noted.get(deletionId)?.removed ?? [])].sort() };
  }

  #chatIsThere(id: string): boolean {
    const chatId = this.#items.get(id)?.chatId ?? null;
    return chatId === null || this.isThere(chatId);
  }
}
