import { z } from "zod";
import { type AssistantRef, assistantRef } from "@/lib/chat/wire/assistants";
import { type ChatParameters, chatParameters } from "@/lib/chat/wire/request-fields";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import { KeyedSettings } from "./keyed-settings";
import type { PersonId } from "./person-in-space";

export interface SecretRow {
  readonly name: string;
  readonly description: Readonly<Record<string, unknown>>;
  readonly sealed: string | null;
}

export interface SettingsStore {
  read(): Promise<Record<string, unknown>>;
  change(changes: Record<string, unknown>): Promise<void>;
  secrets(): Promise<SecretRow[]>;
  saveSecret(secret: SecretRow): Promise<void>;
  removeSecret(name: string): Promise<boolean>;
}

/** An envelope opens only with the context it was sealed with. */
export interface SecretSealer {
  seal(secret: string, context: string): Promise<string>;
  open(envelope: string, context: string): Promise<string | null>;
}

const serverPrefix = "mcp:";

export function serverSecretName(id: string): string {
  return `${serverPrefix}${id}`;
}

export function isServerSecret(name: string): boolean {
  return name.startsWith(serverPrefix);
}

export interface SettingsOwner {
  readonly personId: PersonId;
  readonly settings: SettingsStore;
}

export function searchAddressIn({
  searchAddress,
}: Readonly<Record<string, unknown>>): string | null {
  return typeof searchAddress === "string" && URL.canParse(searchAddress) ? searchAddress : null;
}

const favorites = new KeyedSettings("favorite ", z.literal(true));
const hidden = new KeyedSettings("hidden ", z.literal(true));

export function modelMarkChanges({
  ref,
  isFavorite,
  isHidden,
}: {
  ref: string;
  isFavorite?: boolean | undefined;
  isHidden?: boolean | undefined;
}): Record<string, true | null> {
  return {
    ...(isFavorite !== undefined && favorites.changes({ [ref]: isFavorite || null })),
    ...(isHidden !== undefined && hidden.changes({ [ref]: isHidden || null })),
  };
}

export function modelMarksIn(settings: Readonly<Record<string, unknown>>) {
  const [favorite, unlisted] = [favorites.read(settings), hidden.read(settings)];
  return {
    favorites: [...favorite.keys()],
    hidden: [...unlisted.keys()],
    isFavorite: (ref: string) => favorite.has(ref),
    isHidden: (ref: string) => unlisted.has(ref),
  };
}

export function parametersIn({ parameters }: Readonly<Record<string, unknown>>): ChatParameters {
  return chatParameters.safeParse(parameters).data ?? {};
}

/** `null` where the assistant is one of another place. */
export function assistantIn(metadata: Readonly<Record<string, unknown>>): AssistantRef | null {
  const named = placedAssistantIn(metadata);
  return named && named.space === undefined ? named : null;
}

/** @returns `space` only where it is not the chat's. */
export function placedAssistantIn({
  assistant,
}: Readonly<Record<string, unknown>>):
  | (AssistantRef & { readonly space?: string | undefined })
  | null {
  return assistantRef.extend({ space: z.string().optional() }).safeParse(assistant).data ?? null;
}

export function memoryModeIn({ memoryMode }: Readonly<Record<string, unknown>>): MemoryMode {
  return memoryMode === "off" || memoryMode === "ask" ? memoryMode : "on";
}
