import { describe } from "vitest";
import { appendingGuarantees } from "./provider/appending";
import { editingGuarantees } from "./provider/editing";
import type { MakeProvider } from "./provider/make-provider";
import { navigatingGuarantees } from "./provider/navigating";
import { overlayingGuarantees } from "./provider/overlaying";
import { searchingGuarantees } from "./provider/searching";
import { skillGuarantees } from "./provider/skills";
import { windowingGuarantees } from "./provider/windowing";

/** How far the contract suite of a provider goes. */
export interface ProviderSuiteOptions {
  /** How many messages the longest path has. Every append is one call, so slow storage may want fewer. */
  readonly longPath?: number;
}

/** The guarantees every `SessionTreeProvider` gives. `make` returns a provider over an empty session of its own. */
export function describeSessionProvider(
  name: string,
  make: MakeProvider,
  { longPath = 1_000 }: ProviderSuiteOptions = {},
): void {
  describe(`${name} keeps the promises of a session provider:`, () => {
    appendingGuarantees(make);
    navigatingGuarantees(make);
    editingGuarantees(make);
    overlayingGuarantees(make);
    windowingGuarantees(make, { longPath });
    searchingGuarantees(make);
    skillGuarantees(make);
  });
}
