import { endpoint } from "@/app/api/endpoint";
import { AccountError } from "@/lib/accounts/account-error";
import { leavingWith } from "@/lib/server/account-requests";
import { accountWire, assertExported, deleteAccount, ownOf } from "@/lib/server/own-account";

export const GET = endpoint("GET /api/account", (context) => accountWire(ownOf(context)));

export const PATCH = endpoint("PATCH /api/account", async (context) => {
  const own = ownOf(context);
  await own.accounts.store.rename(own.person.userId, context.body.name);
  return accountWire(own);
});

export const DELETE = endpoint("DELETE /api/account", async (context) => {
  const own = ownOf(context);
  const { email } = await accountWire(own);
  if (context.body.email.trim().toLowerCase() !== email)
    throw new AccountError("bad-email", "This is not the e-mail address of your account.");
  await assertExported(context.services, own);
  const { userId, personId } = own.person;
  await deleteAccount(context.services, { accounts: own.accounts, userId, personId });
  await own.accounts.store.log.note({ kind: "account-deleted" });
  return leavingWith(await own.accounts.signOut(own.headers));
});
