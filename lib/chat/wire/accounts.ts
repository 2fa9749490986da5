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

export interface InviteWire {
  readonly role: AccountRoleWire;
  readonly email: string | null;
  /** `null` when the link makes an account. */
  readonly name: string | null;
  readonly localData: { readonly sessions: number; readonly documents: number } | null;
}

export interface SignInAnswerWire {
  readonly needsCode: boolean;
}

const passkeyAnswer = z.record(z.string(), z.unknown());

export const changeAccountRequest = z.object({ name: nameSchema });
export const changePasswordRequest = z.object({ current: password, next: password });
export const passwordRequest = z.object({ password });
export const confirmRequest = z.object({ code });
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
  /** A page of an earlier version sends none. */
  storedMegabytes: z.int("is no whole number").min(0).max(100_000_000).nullable().default(null),
});
/** `null` sets no limit. Months and days are those of UTC. */
export type LimitsWire = z.output<typeof limitsSchema>;

export const changePersonRequest = z.object({
  role: z.enum(["admin", "member"], "must be admin or member").optional(),
  isRestored: z.literal(true).optional(),
  limits: limitsSchema.nullable().optional(),
});
export const houseNames = [
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "GROVE_DISCOVER_LOCAL",
  "GROVE_UNPRICED_INPUT_DOLLARS",
  "GROVE_UNPRICED_OUTPUT_DOLLARS",
  "GROVE_MAX_FILE_MB",
  "GROVE_BACKUP_EVERY",
  "GROVE_BACKUP_KEEP",
] as const;
export type HouseName = (typeof houseNames)[number];

export const changePolicyRequest = z.object({
  environmentKeys: z.enum(["everyone", "admins"], "must be everyone or admins").optional(),
  limits: limitsSchema.nullable().optional(),
});

/** `null` takes a setting back. */
export const changeHouseRequest = z.partialRecord(
  z.enum(houseNames),
  z.string().trim().min(1).max(1_000).nullable(),
);

export interface HouseSettingWire {
  readonly name: HouseName;
  /** The last four characters of a key, a short one as `…`. `null`: not set, so that `usual` counts. */
  readonly value: string | null;
  readonly isFixed: boolean;
  readonly usual: string;
}

export interface AllowanceWire {
  readonly limits: LimitsWire;
  readonly spent: {
    readonly dollars: number;
    readonly messages: number;
    readonly storedBytes: number;
  };
  readonly startsAgainAt: string;
}

interface ProviderWayWire {
  readonly id: string;
  readonly name: string;
}

export interface DeviceWire {
  readonly id: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly usedAt: string;
  readonly isThis: boolean;
}

export interface AccountWire {
  readonly name: string;
  readonly email: string;
  readonly role: AccountRoleWire;
  readonly deletesAt: string | null;
  readonly exportedAt: string | null;
  readonly allowance: AllowanceWire | null;
  readonly hasPassword: boolean;
  readonly hasTwoFactor: boolean;
  readonly devices: readonly DeviceWire[];
  readonly passkeys: readonly { readonly id: string; readonly name: string }[];
  readonly joined: readonly (ProviderWayWire & { readonly provider: string })[];
  readonly joinable: readonly ProviderWayWire[];
}

export interface TwoFactorWire {
  readonly uri: string;
  readonly recoveryCodes: readonly string[];
}

export interface PasskeyOptionsWire {
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
  readonly deletesAt: string | null;
  readonly deletionFailedAt: string | null;
  readonly limits: LimitsWire | null;
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

export interface HouseWire {
  readonly house: readonly HouseSettingWire[];
}

export interface NewInviteWire {
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
