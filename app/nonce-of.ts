/** The nonce in a Content-Security-Policy, which inline scripts of this answer must carry. */
export function nonceOf(policy: string | null): string | undefined {
  return policy?.match(/'nonce-([^']+)'/)?.[1];
}
