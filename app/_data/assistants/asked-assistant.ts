import { storedInSpace } from "@/app/_ui/page-space";
import { createStore, createStores } from "@/app/_ui/store";
import type { AssistantRef } from "@/lib/chat/wire/assistants";

const noAssistant: Asked = { ref: null };

interface Asked {
  readonly ref: AssistantRef | null;
}

export const askedAssistant = createStores((draftKey) =>
  createStore<Asked>(noAssistant, {
    name: storedInSpace(`asked:${draftKey}`),
    isShared: false,
    parse: askedIn,
    serialize: ({ ref }) => ref,
  }),
);

export function takeAsked(draftKey: string): AssistantRef | null {
  const { ref } = askedAssistant(draftKey).read();
  if (ref) askedAssistant(draftKey).update(() => noAssistant);
  return ref;
}

export function askAgain(draftKey: string, ref: AssistantRef | undefined): void {
  if (ref) askedAssistant(draftKey).update(() => ({ ref }));
}

function askedIn(stored: unknown): Asked | null {
  const { key, version, name } = (stored ?? {}) as Partial<Record<string, unknown>>;
  const isRef = typeof key === "string" && typeof version === "number" && typeof name === "string";
  return isRef ? { ref: { key, version, name } } : null;
}
