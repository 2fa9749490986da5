import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { PersonId } from "@/lib/chat/core/person-in-space";
import { createdAt, moment, ownerId, updatedAt } from "@/lib/postgres/storage";

const userId = () =>
  text("user_id")
    .notNull()
    .references(() => accountUser.id, { onDelete: "cascade" });

/** Columns of this and the next five tables have better-auth's names. */
export const accountUser = pgTable(
  "account_user",
  {
    id: text("id").primaryKey(),
    /** The person's own id, or that of the data they took over. */
    ownerId: ownerId().$type<PersonId>().unique("account_user_owner"),
    role: text("role", { enum: ["owner", "admin", "member"] })
      .notNull()
      .default("member"),
    name: text("name").notNull(),
    /** Lower case. */
    email: text("email").notNull().unique("account_user_email"),
    emailVerified: boolean("email_verified").notNull().default(false),
    image: text("image"),
    twoFactorEnabled: boolean("two_factor_enabled").default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // The first link may be accepted many times at once.
    uniqueIndex("account_user_one_owner").on(table.role).where(sql`role = 'owner'`),
    check("account_user_role", sql`role in ('owner', 'admin', 'member')`),
    check("account_user_email_case", sql`email = lower(email)`),
  ],
);

export const accountSession = pgTable(
  "account_session",
  {
    id: text("id").primaryKey(),
    token: text("token").notNull().unique("account_session_token"),
    userId: userId(),
    expiresAt: moment("expires_at").notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    confirmedAt: moment("confirmed_at"),
  },
  (table) => [index("account_session_of_user").on(table.userId)],
);

export const accountLogin = pgTable(
  "account_login",
  {
    id: text("id").primaryKey(),
    userId: userId(),
    providerId: text("provider_id").notNull(),
    accountId: text("account_id").notNull(),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: moment("access_token_expires_at"),
    refreshTokenExpiresAt: moment("refresh_token_expires_at"),
    scope: text("scope"),
    password: text("password"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("account_login_of_user").on(table.userId),
    unique("account_login_identity").on(table.providerId, table.accountId),
  ],
);

export const accountVerification = pgTable(
  "account_verification",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: moment("expires_at").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("account_verification_identifier").on(table.identifier)],
);

export const accountTwoFactor = pgTable(
  "account_two_factor",
  {
    id: text("id").primaryKey(),
    userId: userId(),
    secret: text("secret").notNull(),
    backupCodes: text("backup_codes").notNull(),
    verified: boolean("verified").default(true),
    failedVerificationCount: integer("failed_verification_count").default(0),
    lockedUntil: moment("locked_until"),
  },
  (table) => [
    index("account_two_factor_of_user").on(table.userId),
    index("account_two_factor_secret").on(table.secret),
  ],
);

export const accountPasskey = pgTable(
  "account_passkey",
  {
    id: text("id").primaryKey(),
    userId: userId(),
    name: text("name"),
    publicKey: text("public_key").notNull(),
    credentialID: text("credential_id").notNull().unique("account_passkey_credential"),
    counter: integer("counter").notNull(),
    deviceType: text("device_type").notNull(),
    backedUp: boolean("backed_up").notNull(),
    transports: text("transports"),
    aaguid: text("aaguid"),
    createdAt: createdAt(),
  },
  (table) => [index("account_passkey_of_user").on(table.userId)],
);

export const accountInvite = pgTable(
  "account_invite",
  {
    id: text("id").primaryKey(),
    hash: text("hash").notNull().unique("account_invite_hash"),
    role: text("role", { enum: ["owner", "admin", "member"] }).notNull(),
    /** Lower case; `null` for any address. */
    email: text("email"),
    /** `null`: the link makes an account. */
    userId: text("user_id").references(() => accountUser.id, { onDelete: "cascade" }),
    createdBy: text("created_by").references(() => accountUser.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    expiresAt: moment("expires_at").notNull(),
    usedAt: moment("used_at"),
  },
  (table) => [
    check("account_invite_role", sql`role in ('owner', 'admin', 'member')`),
    index("account_invite_made").on(table.createdAt),
  ],
);

/** Rows outlive the accounts they name, without saying whose they were. */
export const accountEvent = pgTable(
  "account_event",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text("kind").notNull(),
    actor: text("actor").references(() => accountUser.id, { onDelete: "set null" }),
    subject: text("subject").references(() => accountUser.id, { onDelete: "set null" }),
    email: text("email"),
    address: text("address"),
    detail: text("detail"),
    createdAt: createdAt(),
  },
  (table) => [index("account_event_made").on(table.createdAt)],
);

export const accountPolicy = pgTable(
  "account_policy",
  {
    id: integer("id").primaryKey(),
    environmentKeys: text("environment_keys", { enum: ["everyone", "admins"] })
      .notNull()
      .default("everyone"),
  },
  () => [check("account_policy_keys", sql`environment_keys in ('everyone', 'admins')`)],
);
