/** A stored secret, sealed, with a description that contains no secret. */
export interface SecretRow {
  readonly name: string;
  readonly description: Readonly<Record<string, unknown>>;
  /** An encrypted envelope; `null` when there is no key. */
  readonly sealed: string | null;
}

/** The settings of one owner: one JSON document, and secrets that arrive sealed and leave sealed. */
export interface SettingsStore {
  /** `{}` before the first write. */
  read(): Promise<Record<string, unknown>>;
  /** Sets the keys of `changes` in one statement and keeps the others; a key that is `undefined` stays as it is. */
  change(changes: Record<string, unknown>): Promise<void>;
  secrets(): Promise<SecretRow[]>;
  saveSecret(secret: SecretRow): Promise<void>;
  /** `false` when there was none. */
  removeSecret(name: string): Promise<boolean>;
}

/** Encrypts secrets. `context` is authenticated: an envelope opens only with the context it was sealed with. */
export interface SecretSealer {
  seal(secret: string, context: string): Promise<string>;
  /** `null` when the envelope has another key or context. */
  open(envelope: string, context: string): Promise<string | null>;
}

/** The part of an owner's data that settings are read from. */
export interface SettingsOwner {
  readonly ownerId: string;
  readonly settings: SettingsStore;
}
