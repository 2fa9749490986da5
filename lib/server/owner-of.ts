/** The owner of everything while Grove has no login. */
export const localOwnerId = "local";

/** The cookie by which a browser test names the owner it acts as. */
export const testOwnerCookie = "grove-test-owner";

const testOwner = new RegExp(`(?:^|;\\s*)${testOwnerCookie}=([\\w-]{1,64})(?:;|$)`);

/**
 * Returns the owner of a request. Nothing else decides it, so a login has this one place to go.
 *
 * Without test owners that is the local owner, whatever the request carries.
 */
export function ownerOf(
  headers: Pick<Headers, "get">,
  { hasTestOwners }: { hasTestOwners: boolean },
): string {
  if (!hasTestOwners) return localOwnerId;
  return testOwner.exec(headers.get("cookie") ?? "")?.[1] ?? localOwnerId;
}
