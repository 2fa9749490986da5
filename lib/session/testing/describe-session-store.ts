import { describe } from "vitest";
import { isVersionedProvider } from "../context-provider";
import { describeVersionedBlock } from "./describe-context-providers";
import { describeSessionProvider, type ProviderSuiteOptions } from "./describe-session-provider";
import { blockGuarantees } from "./store/blocks";
import { deletingGuarantees } from "./store/deleting";
import { emittingGuarantees } from "./store/emitting";
import { exportingGuarantees } from "./store/exporting";
import { familyGuarantees } from "./store/families";
import { forkingGuarantees } from "./store/forking";
import { argumentGuarantees } from "./store/impossible-arguments";
import type { MakeStore } from "./store/make-store";
import { proposalGuarantees } from "./store/proposing";
import { registryGuarantees } from "./store/registry";
import { sessionSearchGuarantees } from "./store/session-search";

/** Contract of every `SessionStore` and its providers. `make` returns an empty store of a new owner. */
export function describeSessionStore(
  name: string,
  make: MakeStore,
  options?: ProviderSuiteOptions,
): void {
  describe(`${name} meets the contract of a session store:`, () => {
    registryGuarantees(make);
    argumentGuarantees(make);
    deletingGuarantees(make);
    forkingGuarantees(make);
    blockGuarantees(make);
    emittingGuarantees(make);
    familyGuarantees(make);
    sessionSearchGuarantees(make);
    proposalGuarantees(make);
    exportingGuarantees(make);
  });
  describeSessionProvider(
    `${name}.messages()`,
    async () => {
      const store = await make();
      await store.sessions.create("Session", { id: "session" });
      return store.messages("session");
    },
    options,
  );
  describeVersionedBlock(`${name}.block()`, async () => {
    const store = await make();
    await store.sessions.create("Session", { id: "session" });
    const block = store.block({ label: "memory", sessionId: null });
    if (!isVersionedProvider(block)) throw new TypeError("The blocks of a store keep versions.");
    return block;
  });
}
