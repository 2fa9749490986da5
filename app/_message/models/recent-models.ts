import { createStore } from "@/app/_ui/store";

const mostKept = 12;

/** Refs of the models chosen on this device, the newest first. */
export const recentModels = createStore<readonly string[]>([], {
  name: "recent-models",
  parse: (stored) =>
    Array.isArray(stored) ? stored.filter((ref) => typeof ref === "string") : null,
});

export function noteRecentModel(ref: string): void {
  recentModels.update((before) =>
    [ref, ...before.filter((other) => other !== ref)].slice(0, mostKept),
  );
}
