import { boolean, index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, moment, updatedAt } from "@/lib/postgres/storage";
import { accountSession, accountUser } from "./accounts";

const clientId = () =>
  text("client_id")
    .notNull()
    .references(() => accountApp.clientId, { onDelete: "cascade" });
const userId = () =>
  text("user_id")
    .notNull()
    .references(() => accountUser.id, { onDelete: "cascade" });
const sessionId = () =>
  text("session_id").references(() => accountSession.id, { onDelete: "set null" });
const referenceId = () => text("reference_id");
const words = (name: string) => text(name).array();

/** Columns of these four tables have better-auth's names. */
export const accountApp = pgTable(
  "account_app",
  {
    id: text("id").primaryKey(),
    clientId: text("client_id").notNull().unique("account_app_client"),
    clientDiscoveryId: text("client_discovery_id"),
    disabled: boolean("disabled").default(false),
    scopes: words("scopes"),
    clientCredentialsScopes: words("client_credentials_scopes"),
    name: text("name"),
    redirectUris: words("redirect_uris").notNull(),
    tokenEndpointAuthMethod: text("token_endpoint_auth_method"),
    applicationType: text("application_type"),
    grantTypes: words("grant_types"),
    responseTypes: words("response_types"),
    requirePKCE: boolean("require_pkce"),
    dpopBoundAccessTokens: boolean("dpop_bound_access_tokens").default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("account_app_made").on(table.createdAt)],
);

export const accountAppConsent = pgTable(
  "account_app_consent",
  {
    id: text("id").primaryKey(),
    clientId: clientId(),
    userId: userId(),
    referenceId: referenceId(),
    resources: words("resources"),
    requestedUserInfoClaims: words("requested_user_info_claims"),
    scopes: words("scopes").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("account_app_consent_of_user").on(table.userId, table.clientId)],
);

const tokenColumns = () => ({
  id: text("id").primaryKey(),
  /** A SHA-256 hash. */
  token: text("token").notNull().unique(),
  clientId: clientId(),
  sessionId: sessionId(),
  userId: userId(),
  referenceId: referenceId(),
  authorizationCodeId: text("authorization_code_id"),
  resources: words("resources"),
  requestedUserInfoClaims: words("requested_user_info_claims"),
  scopes: words("scopes").notNull(),
  confirmation: jsonb("confirmation"),
  createdAt: createdAt(),
  expiresAt: moment("expires_at").notNull(),
  revoked: moment("revoked"),
});

export const accountAppRefresh = pgTable(
  "account_app_refresh",
  {
    ...tokenColumns(),
    rotatedAt: moment("rotated_at"),
    rotationReplayResponse: text("rotation_replay_response"),
    rotationReplayExpiresAt: moment("rotation_replay_expires_at"),
    authTime: moment("auth_time"),
  },
  (table) => [
    index("account_app_refresh_of_user").on(table.userId, table.referenceId),
    index("account_app_refresh_of_app").on(table.clientId),
    index("account_app_refresh_of_session").on(table.sessionId),
    index("account_app_refresh_of_code").on(table.authorizationCodeId),
    index("account_app_refresh_expiry").on(table.expiresAt),
  ],
);

export const accountAppAccess = pgTable(
  "account_app_access",
  {
    ...tokenColumns(),
    refreshId: text("refresh_id").references(() => accountAppRefresh.id, { onDelete: "cascade" }),
  },
  (table) => [
    index("account_app_access_of_user").on(table.userId, table.referenceId),
    index("account_app_access_of_app").on(table.clientId),
    index("account_app_access_of_session").on(table.sessionId),
    index("account_app_access_of_code").on(table.authorizationCodeId),
    index("account_app_access_of_refresh").on(table.refreshId),
    index("account_app_access_expiry").on(table.expiresAt),
  ],
);
