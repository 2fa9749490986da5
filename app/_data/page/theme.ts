"use client";

import { createStore, useStore } from "@/app/_ui/store";

export const themes = ["system", "light", "dark"] as const;

export type Theme = (typeof themes)[number];

/** The boot script applies it before the first paint. */
const theme = createStore<Theme>("system", {
  name: "theme",
  isShared: false,
  parse: (stored) => themes.find((known) => known === stored) ?? null,
});

export function setTheme(next: Theme): void {
  document.documentElement.dataset.theme = next;
  theme.update(() => next);
}

export function useTheme(): Theme {
  return useStore(theme);
}
