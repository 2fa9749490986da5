/** The nonce in a Content-Security-Policy, for inline scripts. */
export function nonceOf(policy: string | null): string | undefined {
  return policy?.match(/'nonce-([^']+)'/)?.[1];
}
