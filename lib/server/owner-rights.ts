import type { Accounts } from "@/lib/accounts/accounts";
import type { PersonId } from "@/lib/chat/core/person-in-space";
import type { ConfiguredServer } from "@/lib/chat/mcp-client/configured-servers";
import { publicFetch } from "@/lib/chat/web/public-fetch";
import { internet, type Network } from "@/lib/chat/web/request-page";
import { WebError } from "@/lib/chat/web/web-error";
import { type Environment, ModelUnavailableError } from "@/lib/llm";

export interface OwnerRights {
  readonly environment: Environment;
  /** Programs of `GROVE_MCP_CONFIG`, which run with the operator's rights. */
  readonly toolServers: readonly ConfiguredServer[];
  readonly reachesPrivate: boolean;
  /** A removed person may take their data along, and nothing else. */
  readonly isRemoved: boolean;
}

export type RightsOf = (personId: PersonId) => Promise<OwnerRights>;

export function ownerRights(
  accounts: Pick<Accounts, "rightsOf"> | null,
  operatorNow: () => Promise<Pick<OwnerRights, "environment" | "toolServers">>,
): RightsOf {
  // Lists of models are kept as long as their environment is the same object.
  const without = new WeakMap<Environment, Environment>();
  return async (personId) => {
    const operator = await operatorNow();
    if (!accounts) return { ...operator, reachesPrivate: true, isRemoved: false };
    const { usesEnvironment, administers, isRemoved } = await accounts.rightsOf(personId);
    const environment = without.get(operator.environment) ?? withoutKeys(operator.environment);
    without.set(operator.environment, environment);
    const allowed = usesEnvironment ? operator : { environment, toolServers: [] };
    return { ...allowed, reachesPrivate: administers, isRemoved };
  };
}

/** Members get no key and no server of this machine. */
function withoutKeys(environment: Environment): Environment {
  const limits = Object.entries(environment).filter(([name]) =>
    /^GROVE_(MODEL|UNPRICED)_/.test(name),
  );
  return { ...Object.fromEntries(limits), GROVE_DISCOVER_LOCAL: "0" };
}

/**
 * A member may reach public addresses alone, checked at each request, as a name can change its address. An unknown
 * person is a member.
 */
export function ownerFetch(rightsOf: RightsOf, network: Network = internet) {
  const checked = publicFetch(network);
  return (personId: PersonId): typeof fetch =>
    async (input, init) => {
      const { reachesPrivate } = await rightsOf(personId).catch(() => ({ reachesPrivate: false }));
      return reachesPrivate ? fetch(input, init) : checked(input, init);
    };
}

export function modelFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) =>
    fetch(input, init).catch((error: unknown) => {
      if (!(error instanceof WebError)) throw error;
      throw new ModelUnavailableError("local-server-down", "", error.message);
    });
}
