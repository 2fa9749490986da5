/** While Grove has no login. */
export const localOwnerId = "local";

/** For browser tests. */
export const testOwnerCookie = "grove-test-owner";

const testOwner = new RegExp(`(?:^|;\\s*)${testOwnerCookie}=([\\w-]{1,64})(?:;|$)`);

/** The one place for a login. Without test owners the local owner, whatever the request carries. */
export function ownerOf(
  headers: Pick<Headers, "get">,
  { hasTestOwners }: { hasTestOwners: boolean },
): string {
  if (!hasTestOwners) return localOwnerId;
  return testOwner.exec(headers.get("cookie") ?? "")?.[1] ?? localOwnerId;
}
