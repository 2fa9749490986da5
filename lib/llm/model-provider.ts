export type ModelProvider = {
  /** Prefix of its refs, such as `openai`, `compatible:groq` or `local:ollama`. */
  readonly id: string;
  readonly kind: "openai" | "anthropic" | "google" | "compatible" | "local";
  readonly label: string;
  readonly baseUrl: string;
  /** `null` only where a server may need none. */
  readonly apiKey: string | null;
  readonly api: "responses" | "chat";
  /** `null` asks the provider. */
  readonly models: readonly string[] | null;
};

/** A sentence for the person. */
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

export function isHostedKind(kind: string): kind is HostedKind {
  return Object.hasOwn(hosted, kind);
}

export function hostedLabel(kind: HostedKind): string {
  return hosted[kind].label;
}

export function hostedBaseUrl(kind: HostedKind): string {
  return hosted[kind].origin + hosted[kind].versionPath;
}

/** Adds the version path to a bare host. */
export function normalBaseUrl(address: string, kind: HostedKind | "compatible"): string {
  const versionPath = kind === "compatible" ? "/v1" : hosted[kind].versionPath;
  const trimmed = address.replace(/\/+$/, "");
  return new URL(trimmed).pathname === "/" ? trimmed + versionPath : trimmed;
}
