import type { Step, Transaction, World } from "./interleavings";

/** A chat, a fork of it and a fork of that, which all show one message of the first. */
export type Chat = "first" | "second" | "third";

export type Write =
  | { readonly kind: "append" | "reply" | "fork" | "change" | "activate"; readonly chat: Chat }
  | { readonly kind: "remove"; readonly chat: Chat };

/** `own`: only the chat that is written is locked. `loans`: as the functions in `lib/postgres/tree` do. */
export type Protocol = "own" | "loans";

interface Branch {
  readonly chat: string;
  /** The branch it hangs on, through which the message shows. */
  readonly on: string | null;
  /** A copy of its own. */
  readonly text: "message" | "changed" | null;
}

const parents: Readonly<Record<Chat, Chat | null>> = {
  first: null,
  second: "first",
  third: "second",
};

const begun: readonly (readonly [string, Branch])[] = [
  ["first-1", { chat: "first", on: null, text: "message" }],
  ["second-1", { chat: "second", on: "first-1", text: null }],
  ["second-2", { chat: "second", on: "first-1", text: null }],
  // A fork where the second chat borrows borrows from the first one.
  ["third-1", { chat: "third", on: "first-1", text: null }],
];

/**
 * Shows rows as Postgres does under read committed: each statement sees committed rows, and those its transaction
 * wrote.
 */
export function sharedRows(writes: readonly Write[], protocol: Protocol): World {
  const committed = new Map(begun);
  const views = writes.map(() => new View(committed));
  const transactions = writes.map((write, n) => {
    const view = views[n];
    if (!view) throw new Error("Each write has a view.");
    return transactionOf(write, { view, protocol, fork: `fork-${n}` });
  });
  return {
    transactions,
    key: () => JSON.stringify([[...committed].sort(), views.map((view) => view.key())]),
    commit: (n) => views[n]?.commit(),
    problems: () => problemsOf(committed, writes),
  };
}

class View {
  readonly #committed: Map<string, Branch>;
  readonly #written = new Map<string, Branch | null>();
  readonly #seen: unknown[] = [];

  constructor(committed: Map<string, Branch>) {
    this.#committed = committed;
  }

  /** Rows that a statement sees that begins now. */
  rows(): Map<string, Branch> {
    const rows = new Map(this.#committed);
    for (const [id, row] of this.#written) {
      if (row) rows.set(id, row);
      else rows.delete(id);
    }
    this.#seen.push([...rows]);
    return rows;
  }

  write(id: string, row: Branch | null): void {
    this.#written.set(id, row);
  }

  commit(): void {
    for (const [id, row] of this.#written) {
      if (row) this.#committed.set(id, row);
      else this.#committed.delete(id);
    }
    this.#written.clear();
  }

  key(): string {
    return JSON.stringify([[...this.#written], this.#seen.at(-1)]);
  }
}

interface Writing {
  readonly view: View;
  readonly protocol: Protocol;
  readonly fork: string;
}

const statement: Step = { kind: "statement" };
const lock = (name: string, mode: "share" | "alone" = "alone"): Step => ({
  kind: "lock",
  name,
  mode,
});

function* transactionOf({ kind, chat }: Write, writing: Writing): Transaction {
  const { view, protocol, fork } = writing;
  const isFork = parents[chat] !== null;
  yield lock(`session ${chat}`);
  if (kind === "remove" && protocol === "loans")
    for (const each of forksOf(chat)) yield lock(`session ${each}`);
  if (protocol === "loans" && (kind === "change" || kind === "remove")) yield lock("loans");
  else if (protocol === "loans" && isFork && kind !== "append") yield lock("loans", "share");
  yield statement;
  // It was removed meanwhile, so the write is refused.
  if (branchesOf(view, chat).length === 0) return;
  if (kind === "append") yield lock(`branch ${chat}-1`);
  else if (kind === "activate") for (const id of branchesOf(view, chat)) yield lock(`branch ${id}`);
  else if (kind === "change") yield* change(chat, view);
  else if (kind === "remove") yield* remove(chat, view);
  else {
    const on = storedAt(view.rows(), chat);
    // The foreign key takes this lock.
    yield lock(`key of ${on}`, "share");
    view.write(fork, { chat: kind === "fork" ? fork : chat, on, text: null });
  }
}

function* change(chat: Chat, view: View): Transaction {
  for (;;) {
    const at = storedAt(view.rows(), chat);
    const lender = view.rows().get(at)?.chat;
    if (lender === chat || lender === undefined) break;
    yield* detach(chat, at, view);
    yield statement;
  }
  const own = storedAt(view.rows(), chat);
  yield* giveCopies(chat, view);
  yield statement;
  view.write(own, { chat, on: null, text: "changed" });
}

function* remove(chat: Chat, view: View): Transaction {
  yield* giveCopies(chat, view);
  for (const id of branchesOf(view, chat)) {
    yield lock(`key of ${id}`);
    view.write(id, null);
  }
}

function* giveCopies(chat: Chat, view: View): Transaction {
  for (;;) {
    yield statement;
    const rows = view.rows();
    // The planner orders them so that the last one counts.
    const loan = [...rows.values()].findLast(
      (row) => row.chat !== chat && row.on !== null && rows.get(row.on)?.chat === chat,
    );
    if (!loan?.on) return;
    yield* detach(loan.chat, loan.on, view);
  }
}

/** Copies the borrowed rows of `chat`. Its forks see them through it, so they hang on the copy. */
function* detach(chat: string, lender: string, view: View): Transaction {
  const holder = [...view.rows()].find(([, row]) => row.chat === chat && row.on === lender)?.[0];
  if (holder === undefined) return;
  yield lock(`branch ${holder}`);
  const found = view.rows().get(holder);
  if (found?.on !== lender) return;
  const { text, on } = view.rows().get(lender) ?? { text: null, on: null };
  view.write(holder, { chat, on, text });
  for (const [id, row] of view.rows()) {
    if (id === holder || row.on !== lender || !isHeir(row.chat, chat)) continue;
    yield lock(`branch ${id}`);
    if (view.rows().get(id)?.on === lender) view.write(id, { ...row, on: holder });
  }
}

function branchesOf(view: View, chat: string): string[] {
  const ids = [...view.rows()].filter(([, row]) => row.chat === chat).map(([id]) => id);
  return ids.toReversed();
}

function storedAt(rows: ReadonlyMap<string, Branch>, chat: string): string {
  let at = [...rows].find(([, row]) => row.chat === chat)?.[0] ?? "";
  for (let row = rows.get(at); row && row.text === null && row.on !== null; row = rows.get(at))
    at = row.on;
  return at;
}

function forksOf(chat: Chat): string[] {
  return Object.entries(parents).flatMap(([fork, parent]) => (parent === chat ? [fork] : []));
}

function isHeir(chat: string, of: string): boolean {
  for (let at: string | null = chat; at !== null; at = parents[at as Chat] ?? null)
    if (at === of) return true;
  return false;
}

function problemsOf(rows: ReadonlyMap<string, Branch>, writes: readonly Write[]): string[] {
  const changed = new Set(
    writes.filter(({ kind }) => kind === "change" || kind === "remove").map(({ chat }) => chat),
  );
  const forkedFrom = (chat: string) =>
    chat.startsWith("fork-") ? writes[Number(chat.slice("fork-".length))]?.chat : undefined;
  return [...rows].flatMap(([id, row]) => {
    // The order of the two is not known.
    if (changed.has((forkedFrom(row.chat) ?? row.chat) as Chat)) return [];
    let at: Branch | undefined = row;
    while (at?.text === null) at = at.on === null ? undefined : rows.get(at.on);
    if (at === undefined) return [`${id} hangs on a branch that is gone.`];
    return at.text === "message" ? [] : [`${id} shows what another chat changed.`];
  });
}
