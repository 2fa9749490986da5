interface FairTurnsOptions {
  readonly atOnce: number;
  /** At once for one person, however few others wait; fewer than `atOnce` keep a turn free for the others. */
  readonly mostOfOne: number;
  /** After which half of what a person used is forgotten. */
  readonly halfLifeMs: number;
  readonly now?: (() => number) | undefined;
}

interface Waiting {
  readonly person: string;
  readonly begin: () => void;
}

/** Gives turns to the person who used the least time lately; to one person in the order they asked. */
export class FairTurns {
  readonly #options: FairTurnsOptions;
  readonly #now: () => number;
  readonly #waiting: Waiting[] = [];
  readonly #running = new Map<string, number>();
  readonly #used = new Map<string, { readonly ms: number; readonly at: number }>();

  constructor(options: FairTurnsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Runs `task` when it is the person's turn, and counts its time. */
  async run<Result>(person: string, task: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ person, begin });
      this.#next();
    });
    const began = this.#now();
    try {
      return await task();
    } finally {
      this.charge(person, this.#now() - began);
      this.#running.set(person, this.#runningOf(person) - 1);
      if (this.#runningOf(person) === 0) this.#running.delete(person);
      this.#next();
    }
  }

  /** Counts more time than a task took. */
  charge(person: string, ms: number): void {
    this.#used.set(person, { ms: this.#usedBy(person) + ms, at: this.#now() });
    for (const each of this.#used.keys()) if (this.#usedBy(each) < 1) this.#used.delete(each);
  }

  #next(): void {
    const { atOnce, mostOfOne } = this.#options;
    while ([...this.#running.values()].reduce((sum, count) => sum + count, 0) < atOnce) {
      const free = this.#waiting.filter(({ person }) => this.#runningOf(person) < mostOfOne);
      const [first] = free.toSorted(
        (one, other) => this.#usedBy(one.person) - this.#usedBy(other.person),
      );
      if (!first) return;
      this.#waiting.splice(this.#waiting.indexOf(first), 1);
      this.#running.set(first.person, this.#runningOf(first.person) + 1);
      first.begin();
    }
  }

  #runningOf(person: string): number {
    return this.#running.get(person) ?? 0;
  }

  #usedBy(person: string): number {
    const used = this.#used.get(person);
    if (!used) return 0;
    return used.ms * 0.5 ** ((this.#now() - used.at) / this.#options.halfLifeMs);
  }
}
