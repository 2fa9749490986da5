import { passkey } from "@better-auth/passkey";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { APIError } from "better-auth/api";
import { genericOAuth, twoFactor } from "better-auth/plugins";
import type { Sql } from "grove-session/postgres";
import { drizzleOn } from "@/lib/postgres/storage";
import {
  accountApp,
  accountAppAccess,
  accountAppConsent,
  accountAppRefresh,
  accountLogin,
  accountPasskey,
  accountSession,
  accountTwoFactor,
  accountUser,
  accountVerification,
} from "@/lib/storage/schema";
import { addressHeader } from "./address-header";
import type { AccountsEnvironment } from "./environment";
import { endingCode } from "./explained";

export const sessionDays = 30;
const daySeconds = 86_400;

export interface AuthOptions extends AccountsEnvironment {
  readonly sql: Sql;
  readonly secret: string;
  readonly isEnding: (userId: string) => Promise<boolean>;
  readonly admit: (person: { email: string; emailVerified: boolean }) => Promise<{
    readonly id: string;
    readonly ownerId: string;
    readonly role: "owner" | "admin" | "member";
  }>;
}

export type Auth = ReturnType<typeof makeAuth>;

export function cookieNameOf(origin: string, name: string): string {
  return `${cookiePrefixOf(origin)}.${name}`;
}

/** A browser takes `__Host-` cookies only over https, from this host alone. */
function cookiePrefixOf(origin: string): string {
  return origin.startsWith("https:") ? "__Host-grove" : "grove";
}

/**
 * better-auth's router serves only the way back from a provider; other functions run after the guard and the limits.
 * Addresses never come from a request.
 */
export function makeAuth(options: AuthOptions) {
  const { origin, providers, admit, isEnding } = options;
  const { hostname } = new URL(origin);
  return betterAuth({
    ...commonOptions(options),
    basePath: "/sign-in/oidc",
    account: {
      encryptOAuthTokens: true,
      // An address proves nothing, so only a signed-in person joins an identity.
      accountLinking: {
        enabled: true,
        disableImplicitLinking: true,
        allowDifferentEmails: true,
        trustedProviders: providers.map(({ id }) => id),
      },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordLength.least,
      maxPasswordLength: passwordLength.most,
    },
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }) => {
            if (await isEnding(userId)) throw new APIError("FORBIDDEN", { code: endingCode });
          },
        },
      },
      user: {
        create: {
          before: async (user) => {
            if (typeof user.ownerId === "string") return;
            const { email, emailVerified } = user;
            const admitted = await admit({ email: email.toLowerCase(), emailVerified });
            return { data: { ...user, ...admitted } };
          },
        },
      },
    },
    onAPIError: { errorURL: `${origin}/sign-in` },
    plugins: [
      twoFactor({
        issuer: `Grove (${hostname})`,
        allowPasswordless: true,
        // A lockout would lock the person out, too. Tries are limited by device and address instead.
        accountLockout: { enabled: false },
      }),
      passkey({ rpID: hostname, rpName: "Grove", origin }),
      genericOAuth({
        config: providers.map(({ id, name, discoveryUrl, clientId, clientSecret, scopes }) => ({
          providerId: id,
          name,
          discoveryUrl,
          clientId,
          ...(clientSecret && { clientSecret }),
          scopes: [...scopes],
          pkce: true,
          requireIdTokenVerification: true,
        })),
      }),
    ],
  });
}

export function commonOptions({
  sql,
  secret,
  origin,
}: Pick<AuthOptions, "sql" | "secret" | "origin">) {
  const isSecure = origin.startsWith("https:");
  return {
    appName: "Grove",
    baseURL: origin,
    trustedOrigins: [origin],
    // A list keeps a variable of the environment from taking its place.
    secrets: [{ version: 1, value: secret }],
    database: drizzleAdapter(drizzleOn(sql), { provider: "pg", schema, transaction: false }),
    telemetry: { enabled: false },
    logger: { level: "error", log: () => undefined },
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: cookiePrefixOf(origin),
      // The library's own prefix would be `__Secure-`.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: "lax", path: "/" },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: () => crypto.randomUUID() },
    },
    session: { expiresIn: sessionDays * daySeconds, updateAge: daySeconds, freshAge: 0 },
    user: {
      additionalFields: {
        role: { type: "string", required: false, input: false },
        ownerId: { type: "string", required: false, input: false },
      },
    },
  } satisfies BetterAuthOptions;
}

export const passwordLength = { least: 10, most: 128 } as const;

const schema = {
  user: accountUser,
  session: accountSession,
  account: accountLogin,
  verification: accountVerification,
  twoFactor: accountTwoFactor,
  passkey: accountPasskey,
  oauthClient: accountApp,
  oauthConsent: accountAppConsent,
  oauthRefreshToken: accountAppRefresh,
  oauthAccessToken: accountAppAccess,
};
