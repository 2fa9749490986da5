import { isIP } from "node:net";

export interface OidcProvider {
  readonly id: string;
  readonly name: string;
  readonly discoveryUrl: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly scopes: readonly string[];
}

export interface AccountsEnvironment {
  readonly origin: string;
  readonly providers: readonly OidcProvider[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const discoveryPath = "/.well-known/openid-configuration";

export function readAccounts(environment: Environment): AccountsEnvironment | null {
  const given = environment.GROVE_ORIGIN?.trim();
  if (!given) return null;
  const origin = originOf(given);
  return { origin, providers: readProviders(environment) };
}

export function originOf(given: string): string {
  if (!URL.canParse(given)) throw new Error(`GROVE_ORIGIN ${shape}`);
  const { protocol, origin, pathname, search, hash, hostname, username } = new URL(given);
  if (protocol !== "https:" && protocol !== "http:") throw new Error(`GROVE_ORIGIN ${shape}`);
  if (pathname !== "/" || search || hash || username)
    throw new Error(`GROVE_ORIGIN is an address without a path. It ${shape}`);
  if (protocol === "http:" && !isPrivateName(hostname))
    throw new Error(
      `GROVE_ORIGIN=${given} is plain http on a public name: passwords and chats would cross the network readable by anyone. Use https, with a reverse proxy in front.`,
    );
  return origin;
}

const shape = "must look like https://grove.example.";

export function isPlainHttp(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "http:" && !isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

export function isPrivateName(hostname: string): boolean {
  if (isLoopback(hostname)) return true;
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(address) === 4)
    return /^(10\.|127\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[789]\d|1[01]\d|12[0-7])\.)/.test(
      address,
    );
  if (isIP(address) === 6) return /^(f[cd]|fe[89ab])/i.test(address);
  return (
    !hostname.includes(".") || /\.(local|lan|internal|home\.arpa|test|localhost)$/.test(hostname)
  );
}

/** Reads `GROVE_OIDC_DISCOVERY_URL` and others; with a number after OIDC for more than one. */
function readProviders(environment: Environment): OidcProvider[] {
  return ["", "_2", "_3"].flatMap((number) => {
    const read = (name: string) => environment[`GROVE_OIDC${number}_${name}`]?.trim() ?? "";
    const given = read("DISCOVERY_URL");
    if (!given) return [];
    const variable = `GROVE_OIDC${number}_DISCOVERY_URL`;
    if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
      throw new Error(`${variable} must look like https://login.example${discoveryPath}.`);
    const { protocol, hostname } = new URL(given);
    if (protocol === "http:" && !isPrivateName(hostname))
      throw new Error(`${variable} must be https: plain http cannot prove who signs in.`);
    const clientId = read("CLIENT_ID");
    if (!clientId) throw new Error(`GROVE_OIDC${number}_CLIENT_ID is missing.`);
    return {
      id: `oidc${number.replace("_", "-")}`,
      name: read("NAME") || hostname,
      discoveryUrl: given.endsWith(discoveryPath) ? given : given.replace(/\/?$/, discoveryPath),
      clientId,
      clientSecret: read("CLIENT_SECRET") || null,
      scopes: (read("SCOPES") || "openid profile email").split(/[\s,]+/),
    };
  });
}
