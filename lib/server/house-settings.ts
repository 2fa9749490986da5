import { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import { KeyedSettings } from "@/lib/chat/core/keyed-settings";
import type { SecretSealer, SettingsStore } from "@/lib/chat/core/settings-store";
import { keyHint } from "@/lib/chat/settings/providers";
import { type HouseName, type HouseSettingWire, houseNames } from "@/lib/chat/wire/accounts";
import type { Environment } from "./settings/read-settings";
import type { Setting } from "./settings/setting-kinds";
import { settings as declared } from "./settings/settings";

const given = new KeyedSettings("house:", z.string());
/** A key must not travel to a new address. */
const sealContext = (name: HouseName, variables: Environment) =>
  JSON.stringify(["house", name, variables[name.replace("_API_KEY", "_BASE_URL")]?.trim() || null]);

interface HouseOptions {
  /** The operator's variables win. */
  readonly variables: Environment;
  readonly store: SettingsStore;
  readonly sealer: SecretSealer;
}

export class HouseSettings {
  readonly #options: HouseOptions;
  #loading: Promise<Environment> | null = null;
  known: Environment;

  constructor(options: HouseOptions) {
    this.#options = options;
    this.known = options.variables;
  }

  /** The same object until something changes. */
  environment(): Promise<Environment> {
    return this.#loading ?? this.reread();
  }

  reread(): Promise<Environment> {
    const loading = this.#read();
    this.#loading = loading;
    loading.then(
      (environment) => {
        if (this.#loading === loading) this.known = environment;
      },
      () => {
        if (this.#loading === loading) this.#loading = null;
      },
    );
    return loading;
  }

  /** `null` takes a setting back. @throws {ChatError} `invalid-body` for a value that does not fit. */
  async change(changes: Partial<Readonly<Record<HouseName, string | null>>>): Promise<void> {
    const rows = houseNames.flatMap((name) => {
      const value = changes[name];
      if (value === undefined) return [];
      if (value !== null) assertFits(name, value);
      return [[name, value] as const];
    });
    const { variables, store, sealer } = this.#options;
    const plain = rows.filter(([name]) => !isHouseKey(name));
    if (plain.length > 0) await store.change(given.changes(Object.fromEntries(plain)));
    for (const [name, value] of rows) {
      if (!isHouseKey(name)) continue;
      if (value === null) await store.removeSecret(name);
      else {
        const sealed = await sealer.seal(value, sealContext(name, variables));
        await store.saveSecret({ name, description: {}, sealed });
      }
    }
    await this.reread();
  }

  async view(): Promise<HouseSettingWire[]> {
    const environment = await this.environment();
    return houseNames.map((name) => {
      const setting: Setting<unknown> = declared[name];
      const value = environment[name]?.trim() || null;
      const shown = value !== null && setting.isSecret ? keyHint(value) : value;
      const isFixed = Boolean(this.#options.variables[name]?.trim());
      return { name, value: shown, isFixed, usual: setting.usual };
    });
  }

  async #read(): Promise<Environment> {
    const { variables, store, sealer } = this.#options;
    const [stored, secrets] = await Promise.all([store.read(), store.secrets()]);
    const values = new Map(given.read(stored));
    for (const { name, sealed } of secrets) {
      const known = houseNames.find((each) => each === name);
      const context = known && sealContext(known, variables);
      const value = context && sealed ? await sealer.open(sealed, context) : null;
      if (value !== null) values.set(name, value);
    }
    const own = houseNames.flatMap((name) => {
      const value = values.get(name);
      if (variables[name]?.trim() || value === undefined || !fits(name, value)) return [];
      return [[name, value] as const];
    });
    return own.length === 0 ? variables : { ...variables, ...Object.fromEntries(own) };
  }
}

export function isHouseKey(name: HouseName): boolean {
  return declared[name].isSecret;
}

function fits(name: HouseName, value: string): boolean {
  const setting: Setting<unknown> = declared[name];
  return setting.parse(value) !== null;
}

function assertFits(name: HouseName, value: string): void {
  if (!fits(name, value))
    throw new ChatError("invalid-body", `This must ${declared[name].rule}.`, { field: name });
}
