import { AccountError } from "@/lib/accounts/account-error";

interface Window {
  ends: number;
  count: number;
}

export interface Limit {
  readonly most: number;
  readonly perMs: number;
}

const mostKeys = 20_000;

/** Counts per key in windows of time, in this process. The oldest keys are dropped first. */
export class RateLimits {
  readonly #windows = new Map<string, Window>();

  /** @throws {AccountError} `too-many-attempts` once a key has used up its limit. */
  take(key: string, { most, perMs }: Limit): void {
    const now = Date.now();
    const known = this.#windows.get(key);
    const window = known && known.ends > now ? known : { ends: now + perMs, count: 0 };
    window.count++;
    this.#windows.delete(key);
    this.#windows.set(key, window);
    const oldest = this.#windows.keys().next().value;
    if (this.#windows.size > mostKeys && oldest !== undefined) this.#windows.delete(oldest);
    if (window.count <= most) return;
    const seconds = Math.ceil((window.ends - now) / 1_000);
    const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
    throw new AccountError("too-many-attempts", `Too many requests. Try again in ${wait}.`);
  }

  /** After a success. */
  forget(key: string): void {
    this.#windows.delete(key);
  }

  get size(): number {
    return this.#windows.size;
  }
}

const minuteMs = 60_000;

/** Of requests that check a password, a code or a link: per address, per account from that address or from anywhere, and per known device. */
export const signInLimits = {
  address: { most: 60, perMs: 5 * minuteMs },
  account: { most: 10, perMs: 5 * minuteMs },
  accountAnywhere: { most: 200, perMs: 60 * minuteMs },
  /** Of a second factor, by account. */
  code: { most: 10, perMs: 15 * minuteMs },
  /** Of a device that is known, or signed in: whatever others try, its person gets in. */
  device: { most: 10, perMs: 5 * minuteMs },
} satisfies Record<string, Limit>;

const hourMs = 60 * minuteMs;

/** Of one person, far above what anyone does by hand. */
const useLimits: readonly (readonly [RegExp, Limit])[] = [
  [/^POST \/api\/sessions\/[^/]+\/(messages|runs|compactions)$/, { most: 120, perMs: minuteMs }],
  [/^POST \/api\/(import|files)$/, { most: 2_000, perMs: hourMs }],
  [/^GET \/api\/search$/, { most: 600, perMs: minuteMs }],
];

/** @throws {AccountError} `too-many-attempts` */
export function limitUse(limits: RateLimits, userId: string, request: Request): void {
  const asked = `${request.method} ${new URL(request.url).pathname}`;
  for (const [index, [pattern, limit]] of useLimits.entries())
    if (pattern.test(asked)) limits.take(`use ${index} ${userId}`, limit);
}
