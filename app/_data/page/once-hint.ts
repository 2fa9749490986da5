import { createStore, type Store } from "@/app/_ui/store";

/** `true` until this person has seen the hint. */
export function onceHint(name: string): Store<boolean> {
  return createStore(true, {
    name: `${name}-hint`,
    parse: (stored) => (typeof stored === "boolean" ? stored : null),
  });
}
