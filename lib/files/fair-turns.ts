interface FairTurnsOptions {
  readonly atOnce: number;
  readonly mostOfOne: number;
  readonly halfLifeMs: number;
  readonly now?: (() => number) | undefined;
}

interface WaitingTurn {
  readonly person: string;
  readonly begin: () => void;
}

/** The person who used the least time lately comes first; one person's tasks run in order. */
export class FairTurns {
  readonly #options: FairTurnsOptions;
  readonly #now: () => number;
  readonly #waiting: WaitingTurn[] = [];
  readonly #running = new Map<string, number>();
  readonly #used = new Map<string, { readonly ms: number; readonly at: number }>();

  constructor(options: FairTurnsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

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
