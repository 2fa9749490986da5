import { AccountError } from "./account-error";
import { type Accounts, assertPassword } from "./accounts";
import { explained } from "./explained";

export interface OwnRequest {
  readonly accounts: Accounts;
  readonly headers: Headers;
}

export async function changePassword(
  { accounts, headers }: OwnRequest,
  { current, next }: { current: string; next: string },
): Promise<Headers> {
  assertPassword(next);
  const { api } = await accounts.auth();
  const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
  return (await explained(() => api.changePassword({ body, headers, returnHeaders: true })))
    .headers;
}

export async function beginTwoFactor({ accounts, headers }: OwnRequest, password: string) {
  const { api } = await accounts.auth();
  const made = await explained(() =>
    api.enableTwoFactor({ body: { password, method: "totp" }, headers }),
  );
  if (!("totpURI" in made)) throw new AccountError("wrong-code", "Two-factor sign-in is off.");
  return { uri: made.totpURI, recoveryCodes: made.backupCodes };
}

export async function confirmTwoFactor(
  { accounts, headers }: OwnRequest,
  code: string,
): Promise<Headers> {
  const { api } = await accounts.auth();
  const given = { body: { code: code.replace(/\s/g, "") }, headers, returnHeaders: true } as const;
  return (await explained(() => api.verifyTOTP(given))).headers;
}

export async function endTwoFactor(
  { accounts, headers }: OwnRequest,
  password: string,
): Promise<Headers> {
  const { api } = await accounts.auth();
  return (
    await explained(() =>
      api.disableTwoFactor({ body: { password }, headers, returnHeaders: true }),
    )
  ).headers;
}

export async function passkeyOptions({ accounts, headers }: OwnRequest) {
  const { api } = await accounts.auth();
  const answer = await explained(() =>
    api.generatePasskeyRegistrationOptions({ headers, query: {}, returnHeaders: true }),
  );
  return { options: answer.response, cookies: answer.headers };
}

export async function addPasskey(
  { accounts, headers }: OwnRequest,
  { name, answer }: { name: string; answer: Record<string, unknown> },
): Promise<void> {
  const { api } = await accounts.auth();
  await orPasskeyFailed(() =>
    api.verifyPasskeyRegistration({ body: { response: answer, name }, headers }),
  );
}

export async function passkeySignInOptions({ accounts, headers }: OwnRequest) {
  const { api } = await accounts.auth();
  const answer = await explained(() =>
    api.generatePasskeyAuthenticationOptions({ headers, returnHeaders: true }),
  );
  return { options: answer.response, cookies: answer.headers };
}

export async function signInWithPasskey(
  { accounts, headers }: OwnRequest,
  answer: Record<string, unknown>,
): Promise<{ cookies: Headers; userId: string }> {
  const { api } = await accounts.auth();
  // better-auth checks the response, down to its signature.
  const response = answer as unknown as NonNullable<
    Parameters<typeof api.verifyPasskeyAuthentication>[0]
  >["body"]["response"];
  const made = await orPasskeyFailed(() =>
    api.verifyPasskeyAuthentication({ body: { response }, headers, returnHeaders: true }),
  );
  return { cookies: made.headers, userId: made.response.session.userId };
}

async function orPasskeyFailed<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (cause) {
    const isRefused = cause instanceof Error && cause.name === "APIError";
    throw isRefused ? new AccountError("passkey-failed", notAccepted, { cause }) : cause;
  }
}

const notAccepted = "The passkey was not accepted. Try again, or use another way to sign in.";

export async function beginProviderSignIn(
  { accounts, headers }: OwnRequest,
  { provider, next }: { provider: string; next: string },
): Promise<{ page: string; cookies: Headers }> {
  const { api } = await accounts.auth();
  const body = {
    provider,
    callbackURL: ownAddress(accounts.origin, next),
    errorCallbackURL: `${accounts.origin}/sign-in`,
    disableRedirect: true,
  };
  const answer = await explained(() => api.signInSocial({ body, headers, returnHeaders: true }));
  return { page: answer.response.url ?? "", cookies: answer.headers };
}

export async function beginJoining(
  { accounts, headers }: OwnRequest,
  provider: string,
): Promise<{ page: string; cookies: Headers }> {
  const { api } = await accounts.auth();
  const back = `${accounts.origin}/settings?section=account`;
  const body = { provider, callbackURL: back, errorCallbackURL: back, disableRedirect: true };
  const answer = await explained(() =>
    api.linkSocialAccount({ body, headers, returnHeaders: true }),
  );
  return { page: answer.response.url, cookies: answer.headers };
}

/** A link to the sign-in page may name another site. */
export function ownAddress(origin: string, path: string): string {
  if (!URL.canParse(path, origin)) return `${origin}/`;
  const target = new URL(path, origin);
  return target.origin === origin ? target.href : `${origin}/`;
}
