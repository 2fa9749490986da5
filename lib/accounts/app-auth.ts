import { createHash } from "node:crypto";
import { oauthProvider } from "@better-auth/oauth-provider";
import { betterAuth } from "better-auth";
import {
  accountApp,
  accountAppAccess,
  accountAppConsent,
  accountAppRefresh,
} from "@/lib/storage/schema";
import { type AuthOptions, commonOptions } from "./auth";

export interface AppAuthOptions extends Pick<AuthOptions, "sql" | "secret" | "origin"> {
  readonly scopes: readonly string[];
  readonly keyId: () => string | undefined;
}

export const stayingScope = "offline_access";

/**
 * The authorization server for apps that use MCP. `ConnectedApps` withholds requests for identities, client secrets,
 * and client addresses to open.
 */
export function makeAppAuth({ scopes, keyId, ...options }: AppAuthOptions) {
  const provider = oauthProvider({
    loginPage: "/sign-in",
    consentPage: "/connect",
    scopes: [...scopes, stayingScope],
    grantTypes: ["authorization_code", "refresh_token"],
    disableJwtPlugin: true,
    allowDynamicClientRegistration: true,
    allowUnauthenticatedClientRegistration: true,
    // A client whose answer was lost asks again with the same token.
    refreshTokenReuseInterval: 30,
    prefix: { opaqueAccessToken: accessPrefix, refreshToken: "grove_refresh_" },
    storeTokens: {
      hash: async (token, type) =>
        hashOf(type === "access_token" ? `${accessPrefix}${token}` : token),
    },
    postLogin: {
      page: "/connect",
      shouldRedirect: () => false,
      consentReferenceId: async () => keyId(),
    },
  });
  return betterAuth({
    ...commonOptions(options),
    basePath: "/",
    plugins: [{ ...provider, schema: storedOf(provider.schema) }],
  });
}

/** Grove's tables and columns; the others belong to features that are off. */
function storedOf(whole: ReturnType<typeof oauthProvider>["schema"]) {
  return Object.fromEntries(
    Object.entries(tables).map(([name, table]) => {
      const { fields } = whole[name as keyof typeof tables];
      const stored = Object.entries(fields).filter(([field]) => field in table);
      return [name, { ...whole[name as keyof typeof tables], fields: Object.fromEntries(stored) }];
    }),
  ) as typeof whole;
}

const tables = {
  oauthClient: accountApp,
  oauthConsent: accountAppConsent,
  oauthRefreshToken: accountAppRefresh,
  oauthAccessToken: accountAppAccess,
};

const accessPrefix = "grove_app_";

/** Keys are hashed alike, so that one look-up serves both. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
