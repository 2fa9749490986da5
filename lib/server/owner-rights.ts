import type { Accounts } from "@/lib/accounts/accounts";
import type { ConfiguredServer } from "@/lib/chat/mcp-client/configured-servers";
import { publicFetch } from "@/lib/chat/web/public-fetch";
import { internet, type Network } from "@/lib/chat/web/request-page";
import { WebError } from "@/lib/chat/web/web-error";
import { ModelUnavailableError } from "@/lib/llm";
import { ownerOfTemporary } from "./owner-services";

type Environment = Readonly<Record<string, string | undefined>>;

/** Parts of the operator's configuration that an owner may use. */
export interface OwnerRights {
  /** Keys and model servers. */
  readonly environment: Environment;
  /** Programs of `GROVE_MCP_CONFIG`, which run with the operator's rights. */
  readonly toolServers: readonly ConfiguredServer[];
  /** Addresses in the server's own network. */
  readonly reachesPrivate: boolean;
  /** Somebody whose account was removed may take their data along, and nothing else. */
  readonly isRemoved: boolean;
}

export type RightsOf = (ownerId: string) => Promise<OwnerRights>;

/** The one place that decides it, at each use again. Without accounts everything is the one owner's. */
export function ownerRights(
  accounts: Pick<Accounts, "rightsOf"> | null,
  operator: Pick<OwnerRights, "environment" | "toolServers">,
): RightsOf {
  const everything = { ...operator, reachesPrivate: true, isRemoved: false };
  const nothing = { environment: withoutKeys(operator.environment), toolServers: [] };
  return async (ownerId) => {
    if (!accounts) return everything;
    const { usesEnvironment, administers, isRemoved } = await accounts.rightsOf(
      ownerOfTemporary(ownerId) ?? ownerId,
    );
    return { ...(usesEnvironment ? operator : nothing), reachesPrivate: administers, isRemoved };
  };
}

/** No key, no server of this machine: the limits of calls alone. */
function withoutKeys(environment: Environment): Environment {
  const limits = Object.entries(environment).filter(([name]) => name.startsWith("GROVE_MODEL_"));
  return { ...Object.fromEntries(limits), GROVE_DISCOVER_LOCAL: "0" };
}

/**
 * A `fetch` for addresses that an owner entered. A member's may be public alone, which is checked at each request, as a
 * name can change its address. Without an answer about their rights, too.
 */
export function ownerFetch(rightsOf: RightsOf, network: Network = internet) {
  const checked = publicFetch(network);
  return (ownerId: string): typeof fetch =>
    async (input, init) => {
      const { reachesPrivate } = await rightsOf(ownerId).catch(() => ({ reachesPrivate: false }));
      return reachesPrivate ? fetch(input, init) : checked(input, init);
    };
}

/** Tells the person why a model was not asked. */
export function modelFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) =>
    fetch(input, init).catch((error: unknown) => {
      if (!(error instanceof WebError)) throw error;
      throw new ModelUnavailableError("local-server-down", "", error.message);
    });
}
