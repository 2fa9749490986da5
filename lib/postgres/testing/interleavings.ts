/** Waits for a lock, or for the turn of one statement. The code up to the next step runs without interruption. */
export type Step =
  | { readonly kind: "statement" }
  | { readonly kind: "lock"; readonly name: string; readonly mode: "share" | "alone" };

export type Transaction = Generator<Step, void>;

/**
 * Rows that transactions read and write. They are replayed for each order, so the same steps must give the same rows.
 */
export interface World {
  readonly transactions: readonly Transaction[];
  /** Everything that decides the next step, besides locks. */
  readonly key: () => string;
  readonly commit: (transaction: number) => void;
  /** @returns a sentence for each fault after all have ended. */
  readonly problems: () => readonly string[];
}

export interface Explored {
  /** Different states, in all orders of the steps. */
  readonly states: number;
  readonly problems: ReadonlySet<string>;
  /** Orders that end with transactions waiting for one another. */
  readonly deadlocks: number;
}

/** Runs the transactions of `begin()` in every order of their steps that the locks allow. */
export function explore(begin: () => World): Explored {
  const seen = new Set<string>();
  const problems = new Set<string>();
  let deadlocks = 0;
  const orders: number[][] = [[]];
  for (let order = orders.pop(); order; order = orders.pop()) {
    const state = replayed(begin(), order);
    if (seen.has(state.key)) continue;
    seen.add(state.key);
    if (state.isOver) for (const problem of state.problems) problems.add(problem);
    else if (state.ready.length === 0) deadlocks++;
    for (const next of state.ready) orders.push([...order, next]);
  }
  return { states: seen.size, problems, deadlocks };
}

function replayed(world: World, order: readonly number[]) {
  const locks = new Locks();
  const steps: (Step | null)[] = world.transactions.map((each) => advance(each));
  for (const n of order) {
    const step = steps[n];
    const transaction = world.transactions[n];
    if (!step || !transaction) throw new Error("A transaction that has ended takes no step.");
    if (step.kind === "lock") locks.take(n, step);
    const next = advance(transaction);
    steps[n] = next;
    if (next) continue;
    world.commit(n);
    locks.release(n);
  }
  const counts = steps.map((_, n) => order.filter((each) => each === n).length);
  return {
    key: JSON.stringify([world.key(), locks.key(), counts]),
    isOver: steps.every((step) => step === null),
    ready: [...steps.keys()].filter((n) => {
      const step = steps[n];
      return step && (step.kind === "statement" || locks.isFree(n, step));
    }),
    problems: world.problems(),
  };
}

function advance(transaction: Transaction): Step | null {
  const { done, value } = transaction.next();
  return done ? null : value;
}

class Locks {
  readonly #held: { holder: number; name: string; mode: "share" | "alone" }[] = [];

  isFree(asking: number, { name, mode }: Extract<Step, { kind: "lock" }>): boolean {
    return this.#held.every(
      (lock) =>
        lock.holder === asking || lock.name !== name || (lock.mode === "share" && mode === "share"),
    );
  }

  take(holder: number, { name, mode }: Extract<Step, { kind: "lock" }>): void {
    this.#held.push({ holder, name, mode });
  }

  release(holder: number): void {
    const kept = this.#held.filter((lock) => lock.holder !== holder);
    this.#held.splice(0, this.#held.length, ...kept);
  }

  key(): string {
    return JSON.stringify(this.#held.map((lock) => Object.values(lock).join(" ")).sort());
  }
}
