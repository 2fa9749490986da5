import { join } from "node:path";

/** A module as Vitest keeps it; without its exports, the next import evaluates it again. */
interface EvaluatedModule {
  promise: unknown;
  exports: unknown;
  evaluated: boolean;
  readonly importers: Set<string>;
}

interface Worker {
  readonly evaluatedModules: { readonly idToModuleMap: ReadonlyMap<string, EvaluatedModule> };
}

const app = join(import.meta.dirname, "../..");
const site = join(import.meta.dirname, "site.tsx");

/**
 * Makes the next import of the page evaluate its modules again, as a browser does for each document. `vi.resetModules`
 * would reset the server, too, which runs in the same process.
 */
export function forgetPageModules(): void {
  const { evaluatedModules } = (globalThis as unknown as { __vitest_worker__: Worker })
    .__vitest_worker__;
  for (const [id, module] of evaluatedModules.idToModuleMap) {
    if (!isOfPage(id)) continue;
    Object.assign(module, { promise: undefined, exports: undefined, evaluated: false });
    module.importers.clear();
  }
}

function isOfPage(id: string): boolean {
  if (id === site) return true;
  return id.startsWith(`${app}/`) && !/^\/(api|_stories)\//.test(id.slice(app.length));
}
