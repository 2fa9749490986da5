export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Step {
  readonly doing: string;
  readonly done: string;
}

const everyMs = 1_000;
const sayAgainMs = 15_000;

export class StartSteps {
  readonly #say: (line: string) => void;
  readonly #terminal: Terminal | null;
  #line = "";

  constructor(say: (line: string) => void, terminal: Terminal | null = null) {
    this.#say = say;
    this.#terminal = terminal?.isTTY ? terminal : null;
  }

  readonly say = (line: string): void => {
    this.#terminal?.write("\r\u001b[K");
    this.#say(line);
    this.#show();
  };

  async take<Result>(
    { doing, done }: Step,
    act: (note: (part: string) => void) => Promise<Result>,
  ): Promise<Result> {
    const startedAt = Date.now();
    let part = "";
    let saidAt = startedAt - sayAgainMs + everyMs;
    const tell = () => {
      const now = Date.now();
      const line = `… ${doing}: ${[part, seconds(now - startedAt)].filter(Boolean).join(", ")}`;
      if (this.#terminal) {
        this.#line = line;
        this.#show();
      } else if (now - saidAt >= sayAgainMs) {
        saidAt = now;
        this.#say(line);
      }
    };
    const timer = setInterval(tell, everyMs);
    try {
      const result = await act((next) => {
        part = next;
      });
      this.#line = "";
      this.say(`✓ ${done} (${seconds(Date.now() - startedAt)})`);
      return result;
    } finally {
      clearInterval(timer);
      if (this.#line !== "") this.#terminal?.write("\r\u001b[K");
      this.#line = "";
    }
  }

  #show(): void {
    if (!this.#terminal || this.#line === "") return;
    this.#terminal.write(`\r\u001b[K${this.#line.slice(0, (this.#terminal.columns ?? 80) - 1)}`);
  }
}

export function seconds(ms: number): string {
  return ms < 9_950 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
}
