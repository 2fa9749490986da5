import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomBytes } from "node:crypto";
import type { Sql } from "postgres";
import { z } from "zod";
import {
  type AccountRole,
  PostgresAccounts,
  type SignedIn,
} from "@/lib/postgres/accounts/postgres-accounts";
import { AccountError } from "./account-error";
import { addressHeader } from "./address-header";
import { type Auth, cookieNameOf, makeAuth, passwordLength, sessionDays } from "./auth";
import type { AccountsEnvironment } from "./environment";
import { explained } from "./explained";
import { sessionTokenIn } from "./session-cookie";

export interface AccountsOptions extends AccountsEnvironment {
  readonly sql: Sql;
  /** Waited for once. */
  readonly secret: () => Promise<string>;
  readonly onFailure: (what: string, error: unknown) => void;
}

export interface Acceptance {
  readonly secret: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** Only the first account can: data written before there were accounts. */
  readonly takesLocalData?: boolean | undefined;
}

export type RequestHeaders = Pick<Headers, "get">;

const localOwnerId = "local";
const dayMs = 24 * 60 * 60 * 1_000;
const inviteDays = 7;
const firstInviteDays = 1;

/** People, their devices and invites. @throws {AccountError} */
export class Accounts {
  readonly origin: string;
  readonly providers: AccountsEnvironment["providers"];
  readonly store: PostgresAccounts;
  readonly #options: AccountsOptions;
  readonly #sessionCookie: string;
  readonly #invited = new AsyncLocalStorage<string | null>();
  #auth: Promise<{ auth: Auth; secret: string }> | null = null;

  constructor(options: AccountsOptions) {
    this.#options = options;
    this.origin = options.origin;
    this.providers = options.providers;
    this.store = new PostgresAccounts(options.sql);
    this.#sessionCookie = cookieNameOf(options.origin, "session_token");
  }

  /** One indexed read; `null` for anything but a live session. */
  async identify(headers: RequestHeaders): Promise<SignedIn | null> {
    const { secret } = await this.#made();
    const token = sessionTokenIn(headers, { name: this.#sessionCookie, secret });
    if (token === null) return null;
    const found = await this.store.signedIn(token);
    if (found && Date.now() - found.updatedAt.getTime() > dayMs) {
      await this.store.extendSession(found.sessionId, new Date(Date.now() + sessionDays * dayMs));
    }
    return found;
  }

  /** better-auth, whose functions answer with the cookies to set. */
  async auth(): Promise<Auth> {
    return (await this.#made()).auth;
  }

  #made(): Promise<{ auth: Auth; secret: string }> {
    this.#auth ??= this.#make().catch((error: unknown) => {
      this.#auth = null;
      throw error;
    });
    return this.#auth;
  }

  async #make() {
    const secret = await this.#options.secret();
    const admit = (person: { email: string; emailVerified: boolean }) => this.#admit(person);
    return { secret, auth: makeAuth({ ...this.#options, secret, admit }) };
  }

  /** The way back from a provider, with the secret of the invite that began it. */
  async handle(request: Request, { invite }: { invite: string | null }): Promise<Response> {
    const auth = await this.auth();
    return this.#invited.run(invite, () => auth.handler(request));
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

  /** The second factor, after the password was accepted. */
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

  /** Ends the session and removes its cookie. */
  async signOut(headers: Headers): Promise<Headers> {
    const auth = await this.auth();
    const answer = await explained(() => auth.api.signOut({ headers, returnHeaders: true }));
    return answer.headers;
  }

  /** The link with the secret, which is stored only as a hash. */
  async invite(invite: {
    role: AccountRole;
    email: string | null;
    createdBy: string | null;
  }): Promise<{ link: string; id: string }> {
    const secret = randomBytes(32).toString("base64url");
    const id = crypto.randomUUID();
    const days = invite.role === "owner" ? firstInviteDays : inviteDays;
    const expiresAt = new Date(Date.now() + days * dayMs);
    await this.store.addInvite({ ...invite, id, hash: hashOf(secret), expiresAt });
    // In the fragment, which no log and no referrer shows.
    return { id, link: `${this.origin}/welcome#${secret}` };
  }

  /** `null` once somebody has an account. Earlier links end. */
  async firstInvite(): Promise<string | null> {
    if (await this.store.hasPeople()) return null;
    await this.store.deleteFirstInvites();
    const { link } = await this.invite({ role: "owner", email: null, createdBy: null });
    return link;
  }

  async openInvite(secret: string) {
    const invite = await this.store.openInvite(hashOf(secret));
    if (!invite) throw spentInvite();
    return invite;
  }

  /** The data from before there were accounts is that of the machine, whose owner may everything. */
  async rightsOf(ownerId: string): Promise<{
    readonly administers: boolean;
    readonly usesEnvironment: boolean;
    readonly isRemoved: boolean;
  }> {
    const { role, environmentKeys, isRemoved } = await this.store.rightsOf(ownerId);
    const administers = role === null ? ownerId === localOwnerId : role !== "member";
    return {
      administers,
      isRemoved,
      usesEnvironment: administers || environmentKeys === "everyone",
    };
  }

  /** Makes the account of an invite and signs it in. */
  async accept(acceptance: Acceptance, headers: Headers): Promise<Headers> {
    const invite = await this.openInvite(acceptance.secret);
    const email = z.email().max(254).safeParse(acceptance.email.trim().toLowerCase());
    if (!email.success)
      throw new AccountError("bad-email", "Enter an e-mail address, such as ada@example.org.");
    if (invite.email !== null && invite.email !== email.data)
      throw new AccountError("bad-email", `This invite is for ${invite.email}.`);
    assertPassword(acceptance.password);
    if (!(await this.store.takeInvite(invite.id))) throw spentInvite();
    try {
      await this.#create({ ...acceptance, email: email.data, role: invite.role });
    } catch (error) {
      await this.store.returnInvite(invite.id);
      throw isTaken(error)
        ? new AccountError("email-taken", "There is an account with this e-mail address already.")
        : error;
    }
    return (await this.signIn({ email: email.data, password: acceptance.password }, headers))
      .headers;
  }

  async #create(person: Acceptance & { role: AccountRole }): Promise<void> {
    const { password, internalAdapter } = await (await this.auth()).$context;
    const id = crypto.randomUUID();
    const takes = person.takesLocalData === true && person.role === "owner";
    const ownerId = takes && !(await this.store.ownsData(localOwnerId)) ? localOwnerId : id;
    const hash = await password.hash(person.password);
    const { name, email, role } = person;
    await internalAdapter.createUser(
      { id, ownerId, role, name: name.trim(), email, emailVerified: false },
      { method: "email-password" },
    );
    await internalAdapter.linkAccount({
      userId: id,
      providerId: "credential",
      accountId: id,
      password: hash,
    });
  }

  /** An identity of a provider becomes an account by an invite: its link, or its address, if the provider verified it. */
  async #admit({ email, emailVerified }: { email: string; emailVerified: boolean }) {
    const secret = this.#invited.getStore() ?? null;
    const linked = secret === null ? null : await this.store.openInvite(hashOf(secret));
    const invite = linked ?? (emailVerified ? await this.store.openInviteFor(email) : null);
    const isFor = invite !== null && (invite.email === null || invite.email === email);
    if (!isFor || !(await this.store.takeInvite(invite.id))) throw spentInvite();
    return { role: invite.role };
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

/** Two at once: another e-mail's, or the one owner's. */
function isTaken(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if ("code" in each && each.code === "23505") return true;
  return false;
}
