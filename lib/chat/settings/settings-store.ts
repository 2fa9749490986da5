import type { MemoryMode } from "@/lib/chat/wire/sessions";

/** Its description contains no secret. */
interface SecretRow {
  readonly name: string;
  readonly description: Readonly<Record<string, unknown>>;
  /** `null` without a key. */
  readonly sealed: string | null;
}

/** One JSON document, and secrets that arrive and leave sealed. */
export interface SettingsStore {
  /** `{}` before the first write. */
  read(): Promise<Record<string, unknown>>;
  /** One statement; a key that is absent or `undefined` stays. */
  change(changes: Record<string, unknown>): Promise<void>;
  secrets(): Promise<SecretRow[]>;
  saveSecret(secret: SecretRow): Promise<void>;
  removeSecret(name: string): Promise<boolean>;
}

/** An envelope opens only with the context it was sealed with. */
export interface SecretSealer {
  seal(secret: string, context: string): Promise<string>;
  /** `null` for another key or context. */
  open(envelope: string, context: string): Promise<string | null>;
}

const serverPrefix = "mcp:";

/** The row of a tool server; other rows are model providers. */
export function serverSecretName(id: string): string {
  return `${serverPrefix}${id}`;
}

export function isServerSecret(name: string): boolean {
  return name.startsWith(serverPrefix);
}

export interface SettingsOwner {
  readonly ownerId: string;
  readonly settings: SettingsStore;
}

/** Address of a SearXNG server in stored settings; `null` without one. */
export function searchAddressIn({
  searchAddress,
}: Readonly<Record<string, unknown>>): string | null {
  return typeof searchAddress === "string" && URL.canParse(searchAddress) ? searchAddress : null;
}

/** The mode in stored settings of a session or owner; on by default. */
export function memoryModeIn({ memoryMode }: Readonly<Record<string, unknown>>): MemoryMode {
  return memoryMode === "off" || memoryMode === "ask" ? memoryMode : "on";
}
