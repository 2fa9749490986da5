import type { SignedIn } from "@/lib/storage/accounts/signed-in";
import { AccountError } from "./account-error";
import type { Accounts } from "./accounts";
import { explained } from "./explained";
import { signInWithPasskey } from "./own-account";

export type Proof =
  | { readonly password: string }
  | { readonly code: string }
  | { readonly passkey: Record<string, unknown> };

const confirmedMs = 10 * 60_000;

/**
 * A browser found open must give no way in, so changes need a sign-in or a proof of the last minutes.
 * @throws {AccountError} `confirm-first`
 */
export function assertConfirmed({ confirmedAt }: Pick<SignedIn, "confirmedAt">): void {
  if (Date.now() - confirmedAt.getTime() < confirmedMs) return;
  throw new AccountError(
    "confirm-first",
    "Confirm that it is you: enter your password, or use a passkey or a code of your app.",
  );
}

/** A passkey makes another session, and ends this one. @returns the cookies to set. */
export async function confirm(
  { accounts, headers, person }: { accounts: Accounts; headers: Headers; person: SignedIn },
  proof: Proof,
): Promise<{ cookies: Headers; ended: readonly string[] }> {
  const { store } = accounts;
  const { userId, sessionId } = person;
  if ("passkey" in proof) {
    if (!(await store.ownsPasskey(userId, String(proof.passkey.id)))) throw notOwn();
    const { cookies } = await signInWithPasskey({ accounts, headers }, proof.passkey);
    return { cookies, ended: await store.endSessions(userId, { only: sessionId }) };
  }
  if ("password" in proof) await assertPasswordOf(accounts, userId, proof.password);
  else {
    const { api } = await accounts.auth();
    const body = { code: proof.code.replace(/\s/g, "") };
    await explained(() => api.verifyTOTP({ body, headers }));
  }
  await store.confirmSession(sessionId);
  return { cookies: new Headers(), ended: [] };
}

async function assertPasswordOf(
  accounts: Accounts,
  userId: string,
  password: string,
): Promise<void> {
  const { internalAdapter, password: hashing } = await (await accounts.auth()).$context;
  const logins = await internalAdapter.findAccounts(userId);
  const hash = logins.find(({ providerId }) => providerId === "credential")?.password;
  if (hash && (await hashing.verify({ hash, password }))) return;
  throw new AccountError("wrong-credentials", "The password is wrong.");
}

function notOwn(): AccountError {
  return new AccountError("passkey-failed", "This passkey is not one of this account.");
}
