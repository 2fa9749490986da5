export interface StoredKey {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly scopes: Readonly<Record<string, unknown>>;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly createdAt: Date;
  /** Dollars of this calendar month (UTC), of calls with a known price. */
  readonly monthCost: number;
}

export interface ProgramChats {
  /** Id of the key; an imported one may be unknown here. */
  readonly id: string;
  readonly name: string;
  readonly chats: number;
}

export interface KeyStore {
  list(): Promise<StoredKey[]>;
  get(keyId: string): Promise<StoredKey | null>;
  /** False for a key that was used or revoked. */
  add(key: Pick<StoredKey, "id" | "name" | "hint" | "scopes"> & { hash: string }): Promise<boolean>;
  /** False for an unknown or revoked key. */
  changeScopes(keyId: string, scopes: StoredKey["scopes"]): Promise<boolean>;
  revoke(keyId: string): Promise<boolean>;
}
