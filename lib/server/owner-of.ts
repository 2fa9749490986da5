import { AccountError } from "@/lib/accounts/account-error";
import type { Accounts } from "@/lib/accounts/accounts";
import { asPerson, localPersonId, type PersonId } from "@/lib/chat/core/person-in-space";
import type { SignedIn } from "@/lib/storage/accounts/signed-in";
import type { OwnerRights, RightsOf } from "./owner-rights";

export const testOwnerCookie = "grove-test-owner";

const testOwner = new RegExp(`(?:^|;\\s*)${testOwnerCookie}=([\\w-]{1,64})(?:;|$)`);

export interface Identity {
  readonly personId: PersonId;
  readonly person: SignedIn | null;
}

/** This function alone decides whose request it is. Without accounts it is the local person's. */
export async function identityOf(
  headers: Pick<Headers, "get">,
  { accounts, hasTestOwners }: { accounts: Accounts | null; hasTestOwners: boolean },
): Promise<Identity | null> {
  if (accounts) {
    const person = await accounts.identify(headers);
    return person && { personId: person.personId, person };
  }
  const named = hasTestOwners ? testOwner.exec(headers.get("cookie") ?? "")?.[1] : undefined;
  return { personId: named === undefined ? localPersonId : asPerson(named), person: null };
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
  { personId, person }: Identity,
  { installation, rightsOf }: Shared<Installation>,
): Promise<
  Omit<Installation, "dataLocation" | "environment"> & {
    readonly dataLocation: string | null;
    readonly environment: OwnerRights["environment"];
  }
> {
  const { environment } = await rightsOf(personId);
  const dataLocation = person?.role === "member" ? null : installation.dataLocation;
  return { ...installation, environment, dataLocation };
}
