import { createStore, createStores } from "@/app/_ui/store";

/** Refs of the models that the next messages of a chat are asked at once; none for the chat's own. */
export const togetherModels = createStores((draftKey) =>
  createStore<readonly string[]>([], {
    name: `together:${draftKey}`,
    parse: (stored) =>
      Array.isArray(stored) ? stored.filter((ref) => typeof ref === "string") : null,
    serialize: (refs) => (refs.length === 0 ? null : refs),
  }),
);
