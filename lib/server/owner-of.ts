import { AccountError } from "@/lib/accounts/account-error";
import type { Accounts } from "@/lib/accounts/accounts";
import type { SignedIn } from "@/lib/storage/accounts/signed-in";

import type { OwnerRights, RightsOf } from "./owner-rights";

/** The owner without accounts, whose data the first account may take over. */
export const localOwnerId = "local";

export const testOwnerCookie = "grove-test-owner";

const testOwner = new RegExp(`(?:^|;\\s*)${testOwnerCookie}=([\\w-]{1,64})(?:;|$)`);

export interface Identity {
  readonly ownerId: string;
  readonly person: SignedIn | null;
}

/**
 * The one place that decides whose request it is. Without accounts it is the local owner's, whatever the request
 * carries.
 */
export async function identityOf(
  headers: Pick<Headers, "get">,
  { accounts, hasTestOwners }: { accounts: Accounts | null; hasTestOwners: boolean },
): Promise<Identity | null> {
  if (accounts) {
    const person = await accounts.identify(headers);
    return person && { ownerId: person.ownerId, person };
  }
  const named = hasTestOwners ? testOwner.exec(headers.get("cookie") ?? "")?.[1] : undefined;
  return { ownerId: named ?? localOwnerId, person: null };
}

export function assertAdministers({ person }: Identity): void {
  if (person?.role === "member")
    throw new AccountError("not-allowed", "Only administrators of this Grove can do this.");
}

interface Shared<Installation> {
  readonly installation: Installation;
  readonly rightsOf: RightsOf;
}

/** Members learn neither the location of the machine's data, nor the keys that they may not use. */
export async function installationFor<Installation extends { readonly dataLocation: string }>(
  { ownerId, person }: Identity,
  { installation, rightsOf }: Shared<Installation>,
): Promise<
  Omit<Installation, "dataLocation" | "environment"> & {
    readonly dataLocation: string | null;
    readonly environment: OwnerRights["environment"];
  }
> {
  const { environment } = await rightsOf(ownerId);
  const dataLocation = person?.role === "member" ? null : installation.dataLocation;
  return { ...installation, environment, dataLocation };
}
