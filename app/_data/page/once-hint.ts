import { createStore, type Store } from "@/app/_ui/store";

export function onceHint(name: string): Store<boolean> {
  return createStore(true, {
    name: `${name}-hint`,
    parse: (stored) => (typeof stored === "boolean" ? stored : null),
  });
}
