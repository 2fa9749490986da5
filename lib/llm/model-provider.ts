/** A provider that can be called: where it listens, with which key, and how it is spoken to. */
export type ModelProvider = {
  /** The left side of its models' refs, such as `openai`, `compatible:groq` or `local:ollama`. */
  readonly id: string;
  readonly kind: "openai" | "anthropic" | "google" | "compatible" | "local";
  readonly label: string;
  readonly baseUrl: string;
  /** `null` only where a server may need none. */
  readonly apiKey: string | null;
  readonly api: "responses" | "chat";
  /** The models to offer; `null` means to ask the provider. */
  readonly models: readonly string[] | null;
};

/** Something about a provider that keeps it from working, in a sentence for the person. */
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

/** Whether `kind` is a provider with an address of its own that needs a key. */
export function isHostedKind(kind: string): kind is HostedKind {
  return Object.hasOwn(hosted, kind);
}

/** The name people know a provider by. */
export function hostedLabel(kind: HostedKind): string {
  return hosted[kind].label;
}

/** The address of a provider when nobody set another. */
export function hostedBaseUrl(kind: HostedKind): string {
  return hosted[kind].origin + hosted[kind].versionPath;
}

/** `address` without a trailing slash, and with the usual version path when it names only a host. */
export function normalBaseUrl(address: string, kind: HostedKind | "compatible"): string {
  const versionPath = kind === "compatible" ? "/v1" : hosted[kind].versionPath;
  const trimmed = address.replace(/\/+$/, "");
  return new URL(trimmed).pathname === "/" ? trimmed + versionPath : trimmed;
}
