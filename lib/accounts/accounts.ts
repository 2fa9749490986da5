import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomBytes } from "node:crypto";
import type { Sql } from "grove-session/postgres";
import { z } from "zod";
import { localPersonId, type PersonId } from "@/lib/chat/core/person-in-space";
import { PostgresAccounts } from "@/lib/storage/accounts/postgres-accounts";
import type { AccountRole, SignedIn } from "@/lib/storage/accounts/signed-in";
import { AccountError } from "./account-error";
import { addressHeader } from "./address-header";
import { type Auth, cookieNameOf, makeAuth, passwordLength, sessionDays } from "./auth";
import { ConnectedApps } from "./connected-apps";
import type { AccountsEnvironment } from "./environment";
import { explained } from "./explained";
import { knownDevice, rememberDevice } from "./known-device";
import { emailOfPendingCode, pendingCode } from "./pending-code";
import { sessionTokenIn } from "./session-cookie";

export interface AccountsOptions extends AccountsEnvironment {
  readonly sql: Sql;
  readonly secret: () => Promise<string>;
  readonly appScopes?: readonly string[];
  readonly onFailure: (what: string, error: unknown) => void;
}

export interface Acceptance {
  readonly secret: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** The first account alone takes over data from before accounts. */
  readonly takesLocalData?: boolean | undefined;
}

export type RequestHeaders = Pick<Headers, "get">;

const dayMs = 24 * 60 * 60 * 1_000;
const inviteDays = 7;
const recoveryDays = 1;

interface Joining {
  readonly invite: string | null;
  made: { readonly userId: string; readonly inviteId: string } | null;
}

export interface Accepted {
  readonly cookies: Headers;
  readonly isRecovered: boolean;
  readonly ended: readonly string[];
}

export class Accounts {
  readonly origin: string;
  readonly providers: AccountsEnvironment["providers"];
  readonly store: PostgresAccounts;
  readonly apps: ConnectedApps;
  readonly #options: AccountsOptions;
  readonly #sessionCookie: string;
  readonly #deviceCookie: string;
  readonly #codeCookies: { readonly step: string; readonly own: string };
  readonly #joining = new AsyncLocalStorage<Joining>();
  #auth: Promise<{ auth: Auth; secret: string }> | null = null;

  constructor(options: AccountsOptions) {
    this.#options = options;
    this.origin = options.origin;
    this.providers = options.providers;
    this.store = new PostgresAccounts(options.sql);
    this.apps = new ConnectedApps({ ...options, scopes: options.appScopes ?? [] });
    this.#sessionCookie = cookieNameOf(options.origin, "session_token");
    this.#deviceCookie = cookieNameOf(options.origin, "device");
    this.#codeCookies = {
      step: cookieNameOf(options.origin, "two_factor"),
      own: cookieNameOf(options.origin, "code_of"),
    };
  }

  /** `null` without a live session. */
  async identify(headers: RequestHeaders): Promise<SignedIn | null> {
    const { secret } = await this.#made();
    const token = sessionTokenIn(headers, { name: this.#sessionCookie, secret });
    if (token === null) return null;
    const found = await this.store.signedIn(token);
    if (found?.isEnding) return null;
    if (found && Date.now() - found.updatedAt.getTime() > dayMs) {
      await this.store.extendSession(found.sessionId, new Date(Date.now() + sessionDays * dayMs));
    }
    return found;
  }

  async auth(): Promise<Auth> {
    return (await this.#made()).auth;
  }

  #made(): Promise<{ auth: Auth; secret: string }> {
    this.#auth ??= this.#makeAuth().catch((error: unknown) => {
      this.#auth = null;
      throw error;
    });
    return this.#auth;
  }

  async #makeAuth() {
    const secret = await this.#options.secret();
    const admit = (person: { email: string; emailVerified: boolean }) => this.#admit(person);
    const isEnding = (userId: string) => this.store.isEnding(userId);
    return { secret, auth: makeAuth({ ...this.#options, secret, admit, isEnding }) };
  }

  async handle(request: Request, { invite }: { invite: string | null }): Promise<Response> {
    const auth = await this.auth();
    const joining: Joining = { invite, made: null };
    try {
      return await this.#joining.run(joining, () => auth.handler(request));
    } finally {
      // The account and its login are two statements of better-auth's.
      if (joining.made) await this.store.unmake(joining.made);
    }
  }

  async signIn(
    { email, password }: { email: string; password: string },
    headers: Headers,
  ): Promise<{ headers: Headers; needsCode: boolean }> {
    const auth = await this.auth();
    const body = { email: email.trim().toLowerCase(), password };
    const answer = await explained(() =>
      auth.api.signInEmail({ body, headers, returnHeaders: true }),
    );
    return { headers: answer.headers, needsCode: "twoFactorRedirect" in answer.response };
  }

  async knownDevice(headers: RequestHeaders, email: string): Promise<string | null> {
    const { secret } = await this.#made();
    return knownDevice(headers, email, { name: this.#deviceCookie, secret });
  }

  async rememberDevice(headers: RequestHeaders, email: string): Promise<string> {
    const { secret } = await this.#made();
    const isSecure = this.origin.startsWith("https:");
    return rememberDevice(headers, email, { name: this.#deviceCookie, secret, isSecure });
  }

  async pendingCode(answer: Headers, email: string): Promise<string> {
    const { secret } = await this.#made();
    const isSecure = this.origin.startsWith("https:");
    return pendingCode(answer, email, { ...this.#codeCookies, secret, isSecure });
  }

  async emailOfPendingCode(headers: RequestHeaders): Promise<string | null> {
    const { secret } = await this.#made();
    return emailOfPendingCode(headers, { ...this.#codeCookies, secret });
  }

  async signInWithCode(
    { code, isRecovery }: { code: string; isRecovery: boolean },
    headers: Headers,
  ): Promise<{ cookies: Headers; userId: string }> {
    const { api } = await this.auth();
    const given = {
      body: { code: code.replace(/\s/g, "") },
      headers,
      returnHeaders: true,
    } as const;
    const { headers: cookies, response } = await explained(async () =>
      isRecovery ? api.verifyBackupCode(given) : api.verifyTOTP(given),
    );
    return { cookies, userId: response.user.id };
  }

  async signOut(headers: Headers): Promise<Headers> {
    const auth = await this.auth();
    const answer = await explained(() => auth.api.signOut({ headers, returnHeaders: true }));
    return answer.headers;
  }

  async invite(invite: {
    role: AccountRole;
    email: string | null;
    createdBy: string | null;
    userId?: string;
    id?: string;
  }): Promise<{ link: string; id: string }> {
    const secret = randomBytes(32).toString("base64url");
    const id = invite.id ?? crypto.randomUUID();
    const days = invite.userId === undefined ? inviteDays : recoveryDays;
    const expiresAt = new Date(Date.now() + days * dayMs);
    if (!(await this.store.addInvite({ ...invite, id, hash: hashOf(secret), expiresAt })))
      throw new AccountError("invite-invalid", "This invite was made and used already.");
    // No log and no referrer shows the fragment.
    return { id, link: `${this.origin}/welcome#${secret}` };
  }

  async firstInvite(): Promise<string | null> {
    await this.store.removeHalves();
    if (await this.store.canAnybodySignIn()) return null;
    const { link } = await this.invite({ role: "owner", email: null, createdBy: null });
    return link;
  }

  async recoveryLink(email: string | null): Promise<{ link: string; email: string } | null> {
    const person = await this.store.personAt(email?.trim().toLowerCase() ?? null);
    if (!person) return null;
    const { id: userId, role } = person;
    const { link } = await this.invite({ role, email: person.email, createdBy: null, userId });
    return { link, email: person.email };
  }

  async openInvite(secret: string) {
    const invite = await this.store.openInvite(hashOf(secret));
    if (!invite) throw spentInvite();
    return invite;
  }

  /** Used within a day: the first response may not have arrived. */
  wasJustUsed(secret: string): Promise<boolean> {
    return this.store.wasJustUsed(hashOf(secret));
  }

  /** Data from before accounts belongs to the machine's owner, who may do everything. */
  async rightsOf(personId: PersonId): Promise<{
    readonly administers: boolean;
    readonly usesEnvironment: boolean;
    readonly isRemoved: boolean;
  }> {
    const { role, environmentKeys, isRemoved } = await this.store.rightsOf(personId);
    const administers = role === null ? personId === localPersonId : role !== "member";
    return {
      administers,
      isRemoved,
      usesEnvironment: administers || environmentKeys === "everyone",
    };
  }

  async accept(acceptance: Acceptance, headers: Headers): Promise<Accepted> {
    const invite = await this.openInvite(acceptance.secret);
    const email = z.email().max(254).safeParse(acceptance.email.trim().toLowerCase());
    if (!email.success)
      throw new AccountError("bad-email", "Enter an e-mail address, such as ada@example.org.");
    if (invite.email !== null && invite.email !== email.data)
      throw new AccountError("bad-email", `This invite is for ${invite.email}.`);
    assertPassword(acceptance.password);
    const { password } = await (await this.auth()).$context;
    const hash = await password.hash(acceptance.password);
    const ended =
      invite.userId === null
        ? await this.#make({ ...acceptance, email: email.data, invite: invite.id, password: hash })
        : await this.store.recover(invite.id, hash);
    if (ended === null) throw spentInvite();
    const signedIn = await this.signIn(
      { email: email.data, password: acceptance.password },
      headers,
    );
    return { cookies: signedIn.headers, isRecovered: invite.userId !== null, ended };
  }

  async #make(person: Omit<Acceptance, "secret"> & { invite: string }): Promise<[] | null> {
    const { takesLocalData = false, ...given } = person;
    const name = given.name.trim();
    try {
      const id = crypto.randomUUID();
      return (await this.store.makePerson({ ...given, id, name, takesLocalData })) ? [] : null;
    } catch (error) {
      throw isTaken(error)
        ? new AccountError("email-taken", "There is an account with this e-mail address already.")
        : error;
    }
  }

  /** An invite's link, or an address that the provider verified, admits an identity. */
  async #admit({ email, emailVerified }: { email: string; emailVerified: boolean }) {
    const joining = this.#joining.getStore();
    const secret = joining?.invite ?? null;
    const linked = secret === null ? null : await this.store.openInvite(hashOf(secret));
    const invite = linked ?? (emailVerified ? await this.store.openInviteFor(email) : null);
    const isFor = invite?.userId === null && (invite.email === null || invite.email === email);
    if (!isFor || !(await this.store.takeInvite(invite.id))) throw spentInvite();
    const id = crypto.randomUUID();
    if (joining) joining.made = { userId: id, inviteId: invite.id };
    return { id, ownerId: id, role: invite.role };
  }
}

export function addressOf(headers: RequestHeaders): string {
  return headers.get(addressHeader) ?? "unknown";
}

export function assertPassword(password: string): void {
  if (password.length < passwordLength.least)
    throw new AccountError(
      "bad-password",
      `A password needs at least ${passwordLength.least} characters.`,
    );
  if (password.length > passwordLength.most)
    throw new AccountError(
      "bad-password",
      `A password has at most ${passwordLength.most} characters.`,
    );
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function spentInvite(): AccountError {
  return new AccountError(
    "invite-invalid",
    "This link was used, withdrawn, or is too old. Ask for a new one.",
  );
}

/** Two may collide: another e-mail's, or the one owner's. */
function isTaken(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if ("code" in each && each.code === "23505") return true;
  return false;
}
