/** A configured provider. */
export type ModelProvider = {
  /** The left side of its models' refs, such as `openai`, `compatible:groq` or `local:ollama`. */
  readonly id: string;
  readonly kind: "openai" | "anthropic" | "google" | "compatible" | "local";
  readonly label: string;
  readonly baseUrl: string;
  /** `null` only where a server may need none. */
  readonly apiKey: string | null;
  readonly api: "responses" | "chat";
  /** The models to offer; `null` asks the provider. */
  readonly models: readonly string[] | null;
};

/** A problem with a provider, as a sentence for the person. */
export type ProviderProblem = {
  readonly provider: string;
  readonly providerLabel: string;
  readonly message: string;
};

const hosted = {
  openai: { label: "OpenAI", origin: "https://api.openai.com", versionPath: "/v1" },
  anthropic: { label: "Anthropic", origin: "https://api.anthropic.com", versionPath: "/v1" },
  google: {
    label: "Google",
    origin: "https://generativelanguage.googleapis.com",
    versionPath: "/v1beta",
  },
} as const;

export type HostedKind = keyof typeof hosted;

/** Returns true for a hosted service that needs a key. */
export function isHostedKind(kind: string): kind is HostedKind {
  return Object.hasOwn(hosted, kind);
}

export function hostedLabel(kind: HostedKind): string {
  return hosted[kind].label;
}

/** The default address. */
export function hostedBaseUrl(kind: HostedKind): string {
  return hosted[kind].origin + hosted[kind].versionPath;
}

/** Removes a trailing slash, and adds the version path to a bare host. */
export function normalBaseUrl(address: string, kind: HostedKind | "compatible"): string {
  const versionPath = kind === "compatible" ? "/v1" : hosted[kind].versionPath;
  const trimmed = address.replace(/\/+$/, "");
  return new URL(trimmed).pathname === "/" ? trimmed + versionPath : trimmed;
}
