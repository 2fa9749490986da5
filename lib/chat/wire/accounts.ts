import { z } from "zod";

export const accountRoles = ["owner", "admin", "member"] as const;
export type AccountRoleWire = (typeof accountRoles)[number];

const secret = z.string().min(20, "is no link of Grove's").max(200);
const password = z.string().max(1_000, "is too long");
const email = z.string().max(254, "is too long");
const code = z.string().trim().min(1, "must be given").max(40, "is too long");
const nameSchema = z.string().trim().min(1, "must be given").max(80, "is too long");

export const signInRequest = z.object({ email, password });
export const codeRequest = z.object({ code, isRecovery: z.boolean().default(false) });
export const inviteRequest = z.object({ secret });
export const acceptRequest = z.object({
  secret,
  name: nameSchema,
  email,
  password,
  takesLocalData: z.boolean().default(false),
});

/** Of the open link. */
export interface InviteWire {
  readonly role: AccountRoleWire;
  /** The only address it is for. */
  readonly email: string | null;
  /** Of the person who gets a new password; `null`: the link makes an account. */
  readonly name: string | null;
  /** Chats and memory written before there were accounts; only the first account can take them over. */
  readonly localData: { readonly sessions: number; readonly documents: number } | null;
}

export interface SignInAnswerWire {
  /** A code of the authenticator app comes next. */
  readonly needsCode: boolean;
}

const passkeyAnswer = z.record(z.string(), z.unknown());

export const changeAccountRequest = z.object({ name: nameSchema });
export const changePasswordRequest = z.object({ current: password, next: password });
export const passwordRequest = z.object({ password });
export const confirmRequest = z.object({ code });
/** A person proves again who they are. */
export const confirmPersonRequest = z.union([
  z.object({ password }),
  z.object({ code }),
  z.object({ passkey: passkeyAnswer }),
]);
export const addPasskeyRequest = z.object({ name: nameSchema, answer: passkeyAnswer });
export const passkeySignInRequest = z.object({ answer: passkeyAnswer });
export const providerSignInRequest = z.object({
  provider: z.string().max(40),
  next: z.string().max(2_000).default("/"),
  invite: secret.optional(),
});
export const joinRequest = z.object({ provider: z.string().max(40) });
export const deleteAccountRequest = z.object({
  email: z.string().max(254, "is too long"),
});
export const inviteSomebodyRequest = z.object({
  role: z.enum(["admin", "member"], "must be admin or member"),
  email: z.email("is no e-mail address").max(254).nullable().default(null),
});
const limitsSchema = z.object({
  monthlyDollars: z.number("is no number").min(0).max(1_000_000).nullable(),
  messagesPerDay: z.int("is no whole number").min(0).max(1_000_000).nullable(),
  /** Limit for files; a page of an earlier version sends none. */
  storedMegabytes: z.int("is no whole number").min(0).max(100_000_000).nullable().default(null),
});
/** `null`: without one. Months and days are those of UTC. */
export type LimitsWire = z.output<typeof limitsSchema>;

export const changePersonRequest = z.object({
  role: z.enum(["admin", "member"], "must be admin or member").optional(),
  /** After a removal. */
  isRestored: z.literal(true).optional(),
  /** `null`: those for everyone. */
  limits: limitsSchema.nullable().optional(),
});
export const changePolicyRequest = z.object({
  environmentKeys: z.enum(["everyone", "admins"], "must be everyone or admins").optional(),
  limits: limitsSchema.nullable().optional(),
});

/** A person's limits, and what they used of them. */
export interface AllowanceWire {
  readonly limits: LimitsWire;
  readonly spent: {
    readonly dollars: number;
    readonly messages: number;
    readonly storedBytes: number;
  };
  /** The next month. */
  readonly startsAgainAt: string;
}

/** A way to sign in besides a password. */
interface ProviderWayWire {
  readonly id: string;
  readonly name: string;
}

export interface DeviceWire {
  readonly id: string;
  /** As its browser says. */
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly usedAt: string;
  readonly isThis: boolean;
}

export interface AccountWire {
  readonly name: string;
  readonly email: string;
  readonly role: AccountRoleWire;
  /** When an account that was removed is deleted. */
  readonly deletesAt: string | null;
  /** End of a download of everything, in the last minutes. */
  readonly exportedAt: string | null;
  /** `null` without limits. */
  readonly allowance: AllowanceWire | null;
  readonly hasPassword: boolean;
  readonly hasTwoFactor: boolean;
  readonly devices: readonly DeviceWire[];
  readonly passkeys: readonly { readonly id: string; readonly name: string }[];
  readonly joined: readonly (ProviderWayWire & { readonly provider: string })[];
  readonly joinable: readonly ProviderWayWire[];
}

export interface TwoFactorWire {
  /** For the authenticator app. */
  readonly uri: string;
  readonly recoveryCodes: readonly string[];
}

export interface PasskeyOptionsWire {
  /** As WebAuthn takes them. */
  readonly options: unknown;
}

export interface ProviderPageWire {
  readonly page: string;
}

export interface PersonWire {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: AccountRoleWire;
  readonly seenAt: string | null;
  readonly isYou: boolean;
  /** `null` unless the person was removed. */
  readonly deletesAt: string | null;
  /** The last time that the account could not be deleted. */
  readonly deletionFailedAt: string | null;
  /** `null`: those for everyone. */
  readonly limits: LimitsWire | null;
  /** In this month, without what they deleted. */
  readonly dollars: number;
  readonly storedBytes: number;
}

export interface OpenInviteWire {
  readonly id: string;
  readonly role: AccountRoleWire;
  readonly email: string | null;
  readonly expiresAt: string;
}

export interface PeopleWire {
  readonly people: readonly PersonWire[];
  readonly invites: readonly OpenInviteWire[];
  readonly environmentKeys: "everyone" | "admins";
  readonly limits: LimitsWire | null;
}

export interface NewInviteWire {
  /** Shown once. */
  readonly link: string;
}

export interface AccountEventWire {
  readonly id: number;
  readonly kind: string;
  readonly who: string | null;
  readonly about: string | null;
  readonly address: string | null;
  readonly at: string;
}
