import { asPerson, inOwnSpace, type PersonId } from "@/lib/chat/core/person-in-space";
import { type ClearingKind, closeForGood, leftClearings, openOwner } from "@/lib/postgres/internal";
import { OwnersWithoutAccount } from "@/lib/storage/accounts/owners-without-account";
import { clearingRefusal } from "./clearing-refusal";
import { logEvent, logFailure } from "./log";
import { deleteAccount } from "./own-account";
import type { Services } from "./services";

export async function deleteRemoved(shared: Services): Promise<void> {
  const { accounts } = shared;
  if (!accounts) return;
  for (const person of await accounts.store.policies.peopleToDelete())
    await deleteEnded(shared, person);
}

async function deleteEnded(
  shared: Services,
  person: { userId: string; personId: PersonId; hasFailed?: boolean },
): Promise<void> {
  const { accounts } = shared;
  if (!accounts) return;
  const { store } = accounts;
  const { userId } = person;
  try {
    await deleteAccount(shared, { accounts, ...person });
    await store.log.note({ kind: "account-deleted" });
  } catch (error) {
    // Another process deletes it.
    if (clearingRefusal(error)) return;
    logFailure("Deleting an account", error);
    await store.policies.change(userId, { deletionFailedAt: new Date() });
    if (!person.hasFailed) await store.log.note({ kind: "account-not-deleted", subject: userId });
  }
}

export async function finishClearings(shared: Services, kind: ClearingKind): Promise<void> {
  for (const left of await leftClearings(shared.sql, kind)) {
    const personId = asPerson(left.owner);
    const person = await shared.accounts?.store.personOf(personId);
    if (kind === "account" && person) {
      await deleteEnded(shared, { userId: person.id, personId });
      continue;
    }
    try {
      const { data } = shared.acting(inOwnSpace(personId));
      if (left.isStopped) await openOwner(shared.sql, left.owner);
      else if (kind === "data") await data.deleteAll();
      else await deleteOwnerWithoutAccount(shared, personId);
    } catch (error) {
      if (!clearingRefusal(error)) logFailure("Finishing a deletion", error);
    }
  }
}

const seen = new OwnersWithoutAccount();

/** An earlier version left rows of owners whose account is gone. */
export async function deleteWithoutAccount(shared: Services): Promise<void> {
  if (!shared.accounts) return;
  for (const ownerId of await seen.find(shared.sql)) {
    try {
      await deleteOwnerWithoutAccount(shared, asPerson(ownerId));
      logEvent("Rows of an owner whose account was deleted earlier are deleted, too.");
    } catch (error) {
      if (!clearingRefusal(error)) logFailure("Deleting rows without an account", error);
    }
  }
}

async function deleteOwnerWithoutAccount(shared: Services, personId: PersonId): Promise<void> {
  await shared.acting(inOwnSpace(personId)).data.deleteOwner();
  await closeForGood(shared.sql, personId);
}
