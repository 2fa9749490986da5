"use client";

import { type ComponentType, lazy, Suspense, useState } from "react";

export interface Preloadable<Props> {
  readonly preload: () => Promise<void>;
  readonly isLoaded: () => boolean;
  readonly provide: (component: ComponentType<Props>) => void;
  readonly Component: ComponentType<Props>;
}

/**
 * A preloaded component appears at once, unlike `lazy`, which always shows its fallback once. React would stream a
 * Suspense boundary's larger contents at the end of the document.
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
    provide: (component) => {
      loaded ??= component;
    },
    Component: function Preloadable(props: Props) {
      // The choice is final: exchanging the two would lose the state inside.
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

/** An optional part that cannot be fetched is missing, instead of taking the page with it. */
export function orNothing<Props>(
  load: () => Promise<ComponentType<Props>>,
): () => Promise<ComponentType<Props>> {
  return () => load().catch(() => Nothing);
}

function Nothing() {
  return null;
}
