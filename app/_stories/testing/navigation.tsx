import {
  type ComponentProps,
  type ComponentType,
  createElement,
  lazy,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useMemo,
  useSyncExternalStore,
} from "react";

/** In the state of a history entry: the address whose page is mounted, which the page may change without leaving. */
const mark = "storyPage";

const listeners = new Set<() => void>();
let mounted = "/";
let shown = "/";

function notify(): void {
  mounted = (history.state as Record<string, string> | null)?.[mark] ?? here();
  shown = here();
  for (const listener of listeners) listener();
}

function here(): string {
  return location.pathname + location.search + location.hash;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A page that changes its address itself stays mounted, as under Next's router. */
export function followHistory(): void {
  for (const how of ["pushState", "replaceState"] as const) {
    const change = history[how].bind(history);
    history[how] = (state: object | null, _, url) => {
      change({ [mark]: mounted, ...state }, "", url);
      notify();
    };
  }
  addEventListener("popstate", notify);
  notify();
}

export function navigate(path: string, { replace = false } = {}): void {
  const url = new URL(path, location.href);
  const state = { [mark]: url.pathname + url.search + url.hash };
  history[replace ? "replaceState" : "pushState"](state, "", url.href);
}

/** The address whose page is mounted. */
export function useMountedAddress(): string {
  return useSyncExternalStore(subscribe, () => mounted);
}

export function usePathname(): string {
  return useSyncExternalStore(subscribe, () => new URL(shown, location.href).pathname);
}

export function useSearchParams(): URLSearchParams {
  const search = useSyncExternalStore(subscribe, () => new URL(shown, location.href).search);
  return useMemo(() => new URLSearchParams(search), [search]);
}

const router = {
  push: (path: string) => navigate(path),
  replace: (path: string) => navigate(path, { replace: true }),
  back: () => history.back(),
  forward: () => history.forward(),
  refresh: () => undefined,
  prefetch: () => undefined,
};

export function useRouter() {
  return router;
}

export class MissingPageError extends Error {}

export function notFound(): never {
  throw new MissingPageError("The page calls notFound().");
}

interface LinkProps extends ComponentProps<"a"> {
  readonly href: string;
  readonly replace?: boolean;
  readonly scroll?: boolean;
  readonly prefetch?: boolean | null;
}

function Link({ replace = false, scroll: _, prefetch: __, onClick, ...props }: LinkProps) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || props.target;
    if (event.defaultPrevented || opensElsewhere || props.download !== undefined) return;
    event.preventDefault();
    navigate(props.href, { replace });
  }
  return createElement("a", { ...props, onClick: follow });
}

interface DynamicOptions {
  readonly loading?: () => ReactNode;
  readonly ssr?: boolean;
}

function dynamic<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { loading: Loading }: DynamicOptions = {},
): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load() }));
  return function Dynamic(props: Props) {
    return (
      <Suspense fallback={Loading ? <Loading /> : null}>
        <Part {...props} />
      </Suspense>
    );
  };
}

export { dynamic, Link };
