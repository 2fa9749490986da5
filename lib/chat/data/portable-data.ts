import type { ImportConsent, OfferDraft, SessionRecordOf } from "grove-session/ports";
import { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { LeftOut } from "@/lib/chat/core/keyed-settings";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { isOwnSpace } from "@/lib/chat/core/person-in-space";
import { modelMarkChanges, modelMarksIn, type SettingsOwner } from "@/lib/chat/core/settings-store";
import {
  addAssistant,
  assistantsOf,
  assistantsOfPresets,
  givePresets,
} from "@/lib/chat/memory/assistants";
import { blocksOf } from "@/lib/chat/sessions/blocks";
import { modelFeatures } from "@/lib/chat/settings/model-features";
import { overrides, overridesIn } from "@/lib/chat/settings/model-overrides";
import { importedPrompts, promptsIn } from "@/lib/chat/settings/prompts";
import { storedProviders } from "@/lib/chat/settings/providers";
import { assistantsLabel } from "@/lib/chat/wire/assistants";
import type { DataCountsWire, DeletedDataWire, ImportReportWire } from "@/lib/chat/wire/data";
import { admittedMessage, admittedSession } from "./admitted-records";
import { ImportOffers } from "./import-offers";

interface PortableSettings {
  readonly type: "settings";
  readonly defaultModel: string | null;
  readonly modelOverrides: unknown[];
  readonly modelFeatures?: unknown[] | undefined;
  /** An export of 0.2.0 has them; assistants are documents. */
  readonly presets?: unknown[] | undefined;
  readonly favoriteModels?: string[] | undefined;
  readonly hiddenModels?: string[] | undefined;
  readonly prompts?: unknown[] | undefined;
}

export interface Admitting {
  readonly session: (record: SessionRecordOf<"session">) => SessionRecordOf<"session">;
  readonly message: (record: SessionRecordOf<"message">) => SessionRecordOf<"message">;
}

type PortableProvider = {
  readonly type: "provider";
  readonly id: string;
  readonly provider: "openai" | "anthropic" | "google" | "compatible";
  readonly name: string;
  readonly baseUrl: string | null;
};

export interface PortableData {
  counts(): Promise<DataCountsWire>;
  export(options: {
    readonly sessionId?: string;
    readonly settings?: readonly (PortableSettings | PortableProvider)[];
  }): AsyncGenerator<string>;
  import(
    lines: AsyncIterable<string>,
    options: {
      readonly onSettings: (settings: PortableSettings) => Promise<readonly LeftOut[]>;
      readonly admit?: Admitting;
      readonly consent?: ImportConsent;
    },
  ): Promise<Omit<ImportReportWire, "offers" | "offerCount" | "changes">>;
  /** Refuses other writes meanwhile. An error of `onceClosed` stops it. */
  deleteAll(
    onceClosed?: () => Promise<void>,
  ): Promise<{ readonly sessionIds: readonly string[]; readonly isStopped: boolean }>;
  stopDeleting(): Promise<boolean>;
}

interface DataOwner
  extends SettingsOwner,
    Pick<
      OwnerData,
      "runs" | "defaultMemoryMode" | "blocks" | "sourceBlocks" | "turns" | "spaceId"
    > {
  readonly data: PortableData;
}

/** A project has no settings of the person. */
export async function exportEverything(owner: DataOwner): Promise<AsyncGenerator<string>> {
  if (!isOwnSpace(owner)) return owner.data.export({});
  await givePresets(owner);
  const [providers, stored] = await Promise.all([storedProviders(owner), owner.settings.read()]);
  const { defaultModel } = stored;
  const settings: PortableSettings = {
    type: "settings",
    defaultModel: typeof defaultModel === "string" ? defaultModel : null,
    modelOverrides: overridesIn(stored),
    modelFeatures: Array.from(modelFeatures.read(stored), ([id, each]) => ({ id, ...each })),
    favoriteModels: modelMarksIn(stored).favorites,
    hiddenModels: modelMarksIn(stored).hidden,
    prompts: promptsIn(stored),
  };
  const addresses = providers.map(
    ({ id, provider, name, baseUrl }): PortableProvider => ({
      type: "provider",
      id,
      provider,
      name,
      baseUrl,
    }),
  );
  return owner.data.export({ settings: [settings, ...addresses] });
}

export async function importEverything(
  owner: DataOwner,
  lines: AsyncIterable<string>,
  accepts: (offerId: string) => boolean = () => false,
): Promise<ImportReportWire> {
  const mode = await owner.defaultMemoryMode();
  // Grove's own sections are made before those of the file.
  await blocksOf(owner, null);
  const consent = new ImportOffers(accepts);
  try {
    const report = await owner.data.import(lines, {
      onSettings: async (settings) =>
        isOwnSpace(owner) ? addSettings(owner, settings, consent) : [],
      admit: { session: (record) => admittedSession(record, mode), message: admittedMessage },
      consent,
    });
    const { offers, count: offerCount, changes } = consent;
    return { ...report, offers, offerCount, changes };
  } catch (cause) {
    throw cause instanceof Error && cause.name === "ImportError" ? invalidImport(cause) : cause;
  }
}

function invalidImport(cause: Error & { field?: string }): ChatError {
  return new ChatError("invalid-import", cause.message, { field: cause.field, cause });
}

async function addSettings(
  owner: DataOwner,
  imported: PortableSettings,
  consent: ImportConsent,
): Promise<readonly LeftOut[]> {
  const { defaultModel } = imported;
  const stored = await owner.settings.read();
  const hasDefault = typeof stored.defaultModel === "string";
  const addedOverrides = overrides.additions(stored, {
    field: "modelOverrides",
    list: imported.modelOverrides,
    key: "ref",
    label: (ref) => ref,
  });
  const addedFeatures = modelFeatures.additions(stored, {
    field: "modelFeatures",
    list: imported.modelFeatures,
    key: "id",
    label: (id) => id,
  });
  const addedPrompts = importedPrompts(stored, imported.prompts);
  const changes = {
    ...marksOf(imported, stored),
    ...overrides.changes(Object.fromEntries(addedOverrides.fresh)),
    ...modelFeatures.changes(Object.fromEntries(addedFeatures.fresh)),
    ...addedPrompts.changes,
    ...(!hasDefault && defaultModel !== null && { defaultModel }),
  };
  const taken = Object.entries(changes).filter(([key, value]) =>
    consent.mayTake(settingDraft(key, value)),
  );
  if (taken.length > 0) await owner.settings.change(Object.fromEntries(taken));
  for (const [key, value] of taken) {
    const { label, title } = settingDraft(key, value);
    consent.taken({ kind: "setting", label: `${label}: ${title}`, key, value });
  }
  const addedPresets = await addPresets(owner, imported.presets, consent);
  return [addedPresets, addedOverrides, addedFeatures, addedPrompts].flatMap(
    ({ leftOut }) => leftOut,
  );
}

async function addPresets(
  owner: DataOwner,
  presets: PortableSettings["presets"],
  consent: ImportConsent,
): Promise<{ leftOut: LeftOut[] }> {
  const { assistants, leftOut } = assistantsOfPresets(presets);
  if (assistants.length === 0) return { leftOut };
  const entries = await assistantsOf(owner);
  const present = new Set((await entries.entries()).map(({ content }) => content));
  for (const { name: title, text } of assistants) {
    const label = assistantsLabel;
    if (present.has(text) || !consent.mayTake({ kind: "entry", label, title, text, whole: text }))
      continue;
    const added = await addAssistant(entries, { name: title, text });
    if (added) consent.taken({ kind: "document", blockId: label, label, before: null, ...added });
  }
  return { leftOut };
}

const kindsOfSetting: readonly (readonly [prefix: string, label: string])[] = [
  ["prompt:", "Prompt"],
  ["override:", "Context size and price"],
  ["feature:", "Feature of a model"],
  ["favorite ", "Favorite model"],
  ["hidden ", "Hidden model"],
];

const shownFields = z.looseObject({ name: z.string().optional(), text: z.string().optional() });

function settingDraft(key: string, value: unknown): OfferDraft {
  const whole = [key, value];
  if (typeof value === "string")
    return { kind: "setting", label: "Default model", title: value, text: "", whole };
  const found = kindsOfSetting.find(([prefix]) => key.startsWith(prefix));
  const [prefix = "", label = "Setting"] = found ?? [];
  const fields = shownFields.safeParse(value).data;
  const { name = key.slice(prefix.length), ...others } = fields ?? {};
  const text = others.text ?? (fields ? JSON.stringify(others) : "");
  return { kind: "setting", label, title: name, text, whole };
}

function marksOf(
  { favoriteModels = [], hiddenModels = [] }: PortableSettings,
  stored: Readonly<Record<string, unknown>>,
): Record<string, true | null> {
  const marks = [
    ...favoriteModels.map((ref) => modelMarkChanges({ ref, isFavorite: true })),
    ...hiddenModels.map((ref) => modelMarkChanges({ ref, isHidden: true })),
  ].flatMap((change) => Object.entries(change));
  return Object.fromEntries(marks.filter(([key]) => !(key in stored)));
}

export async function deleteEverything({ data, runs }: DataOwner): Promise<DeletedDataWire> {
  const before = await data.counts();
  const { isStopped } = await data.deleteAll(async () => {
    if ((await runs.running()).length === 0) return;
    throw new ChatError(
      "answer-running",
      "An answer is being written. Stop it or wait for it, then delete.",
    );
  });
  if (!isStopped) return { ...before, isStopped };
  const left = await data.counts();
  return {
    ...before,
    // Chats may have been written since.
    sessions: Math.max(0, before.sessions - left.sessions),
    messages: Math.max(0, before.messages - left.messages),
    documents: 0,
    providers: 0,
    calls: 0,
    isStopped,
  };
}
