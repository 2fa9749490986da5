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

export class RateLimits {
  readonly #windows = new Map<string, Window>();

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

  giveBack(key: string): void {
    const window = this.#windows.get(key);
    if (window) window.count--;
  }

  forget(key: string): void {
    this.#windows.delete(key);
  }

  get size(): number {
    return this.#windows.size;
  }
}

const minuteMs = 60_000;

/** Checks of secrets count per address, per account from that address or from anywhere, and per known device. */
export const signInLimits = {
  address: { most: 60, perMs: 5 * minuteMs },
  account: { most: 10, perMs: 5 * minuteMs },
  accountAnywhere: { most: 200, perMs: 60 * minuteMs },
  code: { most: 10, perMs: 15 * minuteMs },
  /** A known device gets in despite the attempts of others. */
  device: { most: 10, perMs: 5 * minuteMs },
} satisfies Record<string, Limit>;

const hourMs = 60 * minuteMs;

const useLimits: readonly (readonly [RegExp, Limit])[] = [
  [/^POST \/api\/sessions\/[^/]+\/(messages|runs|compactions)$/, { most: 120, perMs: minuteMs }],
  [/^POST \/api\/(import|files|shares\/copies)$/, { most: 2_000, perMs: hourMs }],
  [
    /^(POST \/api\/sessions\/[^/]+\/shares|PATCH \/api\/shares\/[^/]+)$/,
    { most: 300, perMs: hourMs },
  ],
  [/^GET \/api\/search(\/elsewhere)?$/, { most: 1_200, perMs: minuteMs }],
];

export function limitUse(limits: RateLimits, userId: string, request: Request): void {
  const asked = `${request.method} ${new URL(request.url).pathname}`;
  for (const [index, [pattern, limit]] of useLimits.entries())
    if (pattern.test(asked)) limits.take(`use ${index} ${userId}`, limit);
}
