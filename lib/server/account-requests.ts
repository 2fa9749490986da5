import { inOwnSpace, localPersonId } from "@/lib/chat/core/person-in-space";
import "server-only";
import { AccountError } from "@/lib/accounts/account-error";
import { type Acceptance, type Accounts, addressOf } from "@/lib/accounts/accounts";
import { cookieNameOf } from "@/lib/accounts/auth";
import { beginProviderSignIn, signInWithPasskey } from "@/lib/accounts/own-account";
import { cookieIn } from "@/lib/accounts/session-cookie";
import type { InviteWire } from "@/lib/chat/wire/accounts";
import { HttpError } from "./http-error";
import { networkOf } from "./network-of";
import { signInLimits } from "./rate-limits";
import { type Services, services } from "./services";

type AccountServices = Pick<Services, "accounts" | "acting" | "devices" | "counts">;

export function accountsOf({ accounts }: Pick<Services, "accounts">): Accounts {
  if (accounts) return accounts;
  throw new HttpError(
    404,
    "no-accounts",
    "This Grove has no accounts. GROVE_ORIGIN switches them on.",
  );
}

export function limitOwnAttempts(sessionId: string): void {
  services().counts.take(`session ${sessionId}`, signInLimits.device);
}

/** Call before any decision that depends on a secret. */
export function limitAttempts(request: Request, account: string | null): void {
  const address = networkOf(addressOf(request.headers));
  const { counts } = services();
  counts.take(`address ${address}`, signInLimits.address);
  if (account === null) return;
  counts.take(`account ${account} ${address}`, signInLimits.account);
  counts.take(`account ${account}`, signInLimits.accountAnywhere);
}

export function leavingWith(cookies: Headers): Response {
  const response = withCookies({ ok: true }, cookies);
  // "storage" would drop unsent messages, which are shown to their person alone.
  response.headers.set("Clear-Site-Data", '"cache"');
  return response;
}

export function withCookies(body: unknown, cookies: Headers, status = 200): Response {
  const response = Response.json(body, { status });
  for (const cookie of cookies.getSetCookie()) response.headers.append("Set-Cookie", cookie);
  return response;
}

export async function signIn(
  shared: AccountServices,
  request: Request,
  given: { email: string; password: string },
): Promise<Response> {
  const accounts = accountsOf(shared);
  const email = given.email.trim().toLowerCase();
  const address = addressOf(request.headers);
  const device = await accounts.knownDevice(request.headers, email);
  if (device === null) limitAttempts(request, email);
  else shared.counts.take(`device ${device}`, signInLimits.device);
  try {
    const { headers, needsCode } = await accounts.signIn(given, request.headers);
    shared.counts.forget(`account ${email} ${networkOf(address)}`);
    shared.counts.forget(`device ${device}`);
    // The device is known only after the code: the password alone proves nothing.
    const cookie = needsCode
      ? accounts.pendingCode(headers, email)
      : accounts.rememberDevice(request.headers, email);
    headers.append("Set-Cookie", await cookie);
    await accounts.store.log.note({
      kind: needsCode ? "password-accepted" : "signed-in",
      email,
      address,
    });
    return withCookies({ needsCode }, headers);
  } catch (error) {
    if (error instanceof AccountError)
      await accounts.store.log.note({ kind: "sign-in-failed", email, address });
    throw error;
  }
}

export async function readInvite(
  shared: AccountServices,
  request: Request,
  secret: string,
): Promise<InviteWire> {
  const accounts = accountsOf(shared);
  limitAttempts(request, null);
  const { role, email, userId } = await accounts.openInvite(secret);
  const person = userId === null ? null : await accounts.store.person(userId);
  const isFirst = role === "owner" && person === null;
  const here = isFirst ? await localData(shared, accounts) : null;
  return { role, email, name: person?.name ?? null, localData: here };
}

async function localData(
  shared: AccountServices,
  accounts: Accounts,
): Promise<InviteWire["localData"]> {
  if (await accounts.store.ownsData(localPersonId)) return null;
  const { sessions, documents } = await shared.acting(inOwnSpace(localPersonId)).data.counts();
  return sessions + documents > 0 ? { sessions, documents } : null;
}

/** A repeated request whose answer did not arrive signs in to the account that it made. */
export async function acceptInvite(
  shared: AccountServices,
  request: Request,
  acceptance: Acceptance,
): Promise<Response> {
  const accounts = accountsOf(shared);
  limitAttempts(request, null);
  const address = addressOf(request.headers);
  const email = acceptance.email.trim().toLowerCase();
  try {
    const { cookies, isRecovered, ended } = await accounts.accept(acceptance, request.headers);
    shared.devices.end(ended);
    const kind = isRecovered ? "password-set-by-link" : "account-made";
    await accounts.store.log.note({ kind, email, address });
    return withCookies({ ok: true }, cookies, 201);
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    const { secret, password } = acceptance;
    if (await accounts.wasJustUsed(secret)) {
      const again = await signInAgain(shared, request, { email, password });
      if (again) return again;
    }
    await accounts.store.log.note({ kind: "invite-failed", email, address });
    throw error;
  }
}

async function signInAgain(
  shared: AccountServices,
  request: Request,
  given: { email: string; password: string },
): Promise<Response | null> {
  try {
    const { headers } = await signIn(shared, request, given);
    return withCookies({ ok: true }, headers, 201);
  } catch (error) {
    if (error instanceof AccountError && error.code === "wrong-credentials") return null;
    throw error;
  }
}

export async function signInWithCode(
  shared: AccountServices,
  request: Request,
  code: { code: string; isRecovery: boolean },
): Promise<Response> {
  const accounts = accountsOf(shared);
  const email = await accounts.emailOfPendingCode(request.headers);
  if (email === null)
    throw new AccountError("wrong-code", "The sign-in took too long. Start again.");
  const device = await accounts.knownDevice(request.headers, email);
  const tries = device === null ? `code ${email}` : `code device ${device}`;
  if (device === null) limitAttempts(request, null);
  shared.counts.take(tries, device === null ? signInLimits.code : signInLimits.device);
  const address = addressOf(request.headers);
  try {
    const { cookies, userId } = await accounts.signInWithCode(code, request.headers);
    shared.counts.forget(tries);
    cookies.append("Set-Cookie", await accounts.rememberDevice(request.headers, email));
    await accounts.store.log.note({ kind: "signed-in", actor: userId, address });
    return withCookies({ ok: true }, cookies);
  } catch (error) {
    if (error instanceof AccountError)
      await accounts.store.log.note({ kind: "code-failed", address });
    throw error;
  }
}

export async function signOut(shared: AccountServices, request: Request): Promise<Response> {
  const accounts = accountsOf(shared);
  const person = await accounts.identify(request.headers);
  const cookies = await accounts.signOut(request.headers);
  if (person) {
    const address = addressOf(request.headers);
    await accounts.store.log.note({ kind: "signed-out", actor: person.userId, address });
  }
  return leavingWith(cookies);
}

export async function signInByPasskey(
  shared: AccountServices,
  request: Request,
  answer: Record<string, unknown>,
): Promise<Response> {
  const accounts = accountsOf(shared);
  limitAttempts(request, null);
  const address = addressOf(request.headers);
  try {
    const made = await signInWithPasskey({ accounts, headers: request.headers }, answer);
    await accounts.store.log.note({ kind: "signed-in", actor: made.userId, address });
    return withCookies({ ok: true }, made.cookies);
  } catch (error) {
    if (error instanceof AccountError)
      await accounts.store.log.note({ kind: "sign-in-failed", address, detail: "passkey" });
    throw error;
  }
}

const inviteCookie = "invite";
const inviteSeconds = 600;

/** An invite's secret is kept for the way back, since no provider shall see it. */
export async function signInElsewhere(
  shared: AccountServices,
  request: Request,
  { provider, next, invite }: { provider: string; next: string; invite?: string | undefined },
): Promise<Response> {
  const accounts = accountsOf(shared);
  limitAttempts(request, null);
  const own = { accounts, headers: request.headers };
  // A half-made account would hold the address that this sign-in needs.
  if (invite !== undefined) await accounts.store.removeHalves();
  const { page, cookies } = await beginProviderSignIn(own, { provider, next });
  const name = cookieNameOf(accounts.origin, inviteCookie);
  const isSecure = accounts.origin.startsWith("https:");
  cookies.append(
    "Set-Cookie",
    `${name}=${invite === undefined ? "" : encodeURIComponent(invite)}; Path=/; Max-Age=${invite === undefined ? 0 : inviteSeconds}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`,
  );
  return withCookies({ page }, cookies);
}

export async function returnFromProvider(
  shared: AccountServices,
  request: Request,
): Promise<Response> {
  const accounts = accountsOf(shared);
  limitAttempts(request, null);
  const { pathname, search } = new URL(request.url);
  const own = new Request(`${accounts.origin}${pathname}${search}`, { headers: request.headers });
  const invite = cookieIn(request.headers, cookieNameOf(accounts.origin, inviteCookie));
  const response = await accounts.handle(own, { invite: invite || null });
  const failed = new URL(response.headers.get("location") ?? "/", accounts.origin);
  const problem = failed.searchParams.get("error");
  const kind = problem === null ? "signed-in" : "sign-in-failed";
  const address = addressOf(request.headers);
  await accounts.store.log.note({
    kind,
    address,
    detail: (problem ?? "sign-in server").slice(0, 60),
  });
  return response;
}
