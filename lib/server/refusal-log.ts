import { logLine } from "./log-line";

interface Refused {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const minuteMs = 60_000;

/** At most a line a minute for each reason, without the request. */
export class RefusalLog {
  readonly #write: (line: string) => void;
  readonly #now: () => number;
  readonly #since = new Map<string, { loggedAt: number; more: number }>();

  constructor(write: (line: string) => void, now: () => number = Date.now) {
    this.#write = write;
    this.#now = now;
  }

  note({ status, code, message }: Refused): void {
    if (status !== 403) return;
    const now = this.#now();
    const last = this.#since.get(code);
    if (last && now - last.loggedAt < minuteMs) {
      last.more++;
      return;
    }
    this.#since.set(code, { loggedAt: now, more: 0 });
    const more = last && last.more > 0 ? ` ${last.more} more since the last such line.` : "";
    this.#write(`A request was refused (${code}): ${message}${more}`);
  }
}

export const refusalLog = new RefusalLog((line) => process.stderr.write(`${logLine(line)}\n`));
