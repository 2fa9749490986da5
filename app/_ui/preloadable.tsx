"use client";

import { type ComponentType, lazy, Suspense, useState } from "react";

export interface Preloadable<Props> {
  /** Fetches it; settles also when it cannot be fetched. */
  readonly preload: () => Promise<void>;
  readonly isLoaded: () => boolean;
  /** Shows the fallback only when it is shown before it was fetched. */
  readonly Component: ComponentType<Props>;
}

/**
 * A component of a script of its own. Unlike `lazy`, which shows its fallback once even when the script is there, what
 * was fetched beforehand is shown at once, so nothing moves to make room for it. Nor is there a boundary around it then:
 * of what the server renders, React puts each larger boundary at the end of the document, for a script to move.
 */
export function preloadable<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Fallback: ComponentType<Props> = Nothing,
): Preloadable<Props> {
  let loaded: ComponentType<Props> | null = null;
  const fetchOnce = async () => {
    loaded ??= await load();
    return { default: loaded };
  };
  const Lazy = lazy(fetchOnce);
  return {
    preload: () =>
      fetchOnce().then(
        () => undefined,
        () => undefined,
      ),
    isLoaded: () => loaded !== null,
    Component: function Preloadable(props: Props) {
      // Chosen once: exchanging one for the other would lose the state of what is shown.
      const [Loaded] = useState<ComponentType<Props> | null>(() => loaded);
      if (Loaded) return <Loaded {...props} />;
      return (
        <Suspense fallback={<Fallback {...props} />}>
          <Lazy {...props} />
        </Suspense>
      );
    },
  };
}

function Nothing() {
  return null;
}
