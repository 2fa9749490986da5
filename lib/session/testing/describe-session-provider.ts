import { describe } from "vitest";
import { appendingGuarantees } from "./provider/appending";
import { editingGuarantees } from "./provider/editing";
import { followingGuarantees } from "./provider/following";
import type { MakeProvider } from "./provider/make-provider";
import { navigatingGuarantees } from "./provider/navigating";
import { overlayingGuarantees } from "./provider/overlaying";
import { searchingGuarantees } from "./provider/searching";
import { skillGuarantees } from "./provider/skills";
import { windowingGuarantees } from "./provider/windowing";

export interface ProviderSuiteOptions {
  /** Messages on the longest path; fewer for slow storage. */
  readonly longPath?: number;
}

/** Contract of every `SessionTreeProvider`. `make` returns a provider over a new empty session. */
export function describeSessionProvider(
  name: string,
  make: MakeProvider,
  { longPath = 1_000 }: ProviderSuiteOptions = {},
): void {
  describe(`${name} meets the contract of a session provider:`, () => {
    appendingGuarantees(make);
    navigatingGuarantees(make);
    followingGuarantees(make);
    editingGuarantees(make);
    overlayingGuarantees(make);
    windowingGuarantees(make, { longPath });
    searchingGuarantees(make);
    skillGuarantees(make);
  });
}
